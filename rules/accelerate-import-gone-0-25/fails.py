from accelerate.utils import is_safetensors_available

print(is_safetensors_available)
