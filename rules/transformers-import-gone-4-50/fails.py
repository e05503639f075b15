from transformers import AdamW

print(AdamW)
