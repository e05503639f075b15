try:
    from peft.tuners.lora import QuantLinear
except ImportError:
    QuantLinear = None

print(QuantLinear)
