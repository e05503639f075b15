from accelerate.utils import is_xpu_available

print(is_xpu_available)
