from peft.tuners.lora import GPTQLoraLinear

print(GPTQLoraLinear)
