"""A tokenizer of a hundred words and rows for it: what TRL wants beside a small model."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "healthy"))

from small_model import Sentences, small_llama  # noqa: E402,F401
from tokenizers import Tokenizer, models, pre_tokenizers
from transformers import PreTrainedTokenizerFast

WORDS = [f"w{n}" for n in range(120)]
_TEMPLATE = "{% for m in messages %}{{ m['content'] }} <end> {% endfor %}"


def tokenizer():
    known = {word: at for at, word in enumerate(["<pad>", "<end>", "<unk>", *WORDS])}
    made = Tokenizer(models.WordLevel(known, unk_token="<unk>"))
    made.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    fast = PreTrainedTokenizerFast(tokenizer_object=made, pad_token="<pad>", eos_token="<end>", unk_token="<unk>")
    fast.chat_template = _TEMPLATE
    return fast


def text(at, words=8):
    return " ".join(WORDS[(at * 7 + n) % len(WORDS)] for n in range(words))
