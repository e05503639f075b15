from peft.tuners.lora import QuantLinear

print(QuantLinear)
