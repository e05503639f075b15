from accelerate.utils import is_torch_xla_available

print(is_torch_xla_available)
