from transformers.utils import is_flash_attn_available

print(is_flash_attn_available)
