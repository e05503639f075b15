try:
    from transformers import is_torch_tpu_available
except ImportError:
    is_torch_tpu_available = None

print(is_torch_tpu_available)
