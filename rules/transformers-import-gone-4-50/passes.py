try:
    from transformers import AdamW
except ImportError:
    AdamW = None

print(AdamW)
