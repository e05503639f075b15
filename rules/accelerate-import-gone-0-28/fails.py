from accelerate.utils import is_tpu_available

print(is_tpu_available)
