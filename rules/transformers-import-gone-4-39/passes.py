from transformers.utils import is_flash_attn_2_available

print(is_flash_attn_2_available())
