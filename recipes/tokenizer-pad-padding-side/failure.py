"""A tokenizer class that comes with a model, as ChatGLM's does: its _pad is that of 2023."""

from pathlib import Path
from typing import Any

FILE = Path("chatglm3-6b/tokenization_chatglm.py")
CODE = """
from transformers import PreTrainedTokenizer
from transformers.utils import PaddingStrategy

NAMES = ["<pad>", "</s>", "<unk>", *map(chr, range(32, 127))]

class ChatGLMTokenizer(PreTrainedTokenizer):
    vocab_files_names = {}
    model_input_names = ["input_ids", "attention_mask"]
    vocab_size = len(NAMES)

    def __init__(self, **options):
        options |= {"pad_token": "<pad>", "eos_token": "</s>", "unk_token": "<unk>"}
        super().__init__(**options | {"padding_side": "left"})

    def get_vocab(self):
        return {name: at for at, name in enumerate(NAMES)}

    def _tokenize(self, text, **options):
        return list(text)

    def _convert_token_to_id(self, token):
        return NAMES.index(token)

    def _convert_id_to_token(self, index):
        return NAMES[index]

    def _pad(
            self,
            encoded_inputs,
            max_length=None,
            padding_strategy=PaddingStrategy.DO_NOT_PAD,
            pad_to_multiple_of=None,
            return_attention_mask=None,
    ) -> dict:
        ids = encoded_inputs["input_ids"]
        missing = 0
        if padding_strategy != PaddingStrategy.DO_NOT_PAD and max_length:
            missing = max(0, max_length - len(ids))
        encoded_inputs["attention_mask"] = [0] * missing + [1] * len(ids)
        encoded_inputs["input_ids"] = [self.pad_token_id] * missing + ids
        return encoded_inputs
"""


def load() -> Any:
    """Load it from the folder of the model."""
    from transformers import AutoTokenizer

    make: Any = AutoTokenizer.from_pretrained  # it has no types
    return make(FILE.parent, trust_remote_code=True)
