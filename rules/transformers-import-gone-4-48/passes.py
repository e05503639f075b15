try:
    from transformers.models.llama.modeling_llama import LLAMA_ATTENTION_CLASSES
except ImportError:
    LLAMA_ATTENTION_CLASSES = None

print(LLAMA_ATTENTION_CLASSES)
