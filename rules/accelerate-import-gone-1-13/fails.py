from accelerate.utils import is_ipex_available

print(is_ipex_available)
