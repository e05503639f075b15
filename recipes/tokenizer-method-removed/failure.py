"""A script for the tokenizers of transformers 4."""

from typing import Any

from fixbook.recipe.helpers import tiny_tokenizer

TEXTS = ["the model reads a text", "a loss goes down"]
MARKS = ["<|im_start|>", "<|im_end|>"]


def tokenizer() -> Any:
    """Return a tokenizer with two special tokens of its own."""
    made = tiny_tokenizer()
    name = "additional" if hasattr(made, "additional_special_tokens") else "extra"
    made.add_special_tokens({f"{name}_special_tokens": MARKS})
    return made


def batch(made: Any) -> Any:
    """Tokenize texts as scripts of transformers 4 do."""
    return made.batch_encode_plus(TEXTS, padding=True, return_tensors="pt")


def one(made: Any) -> Any:
    """Tokenize one text."""
    return made.encode_plus(TEXTS[0], truncation=True, max_length=8)


def with_special(made: Any) -> list[int]:
    """Tokenize a text and put the special tokens around it."""
    ids = made.convert_tokens_to_ids(made.tokenize(TEXTS[0]))
    return list(made.build_inputs_with_special_tokens(ids))


def marks(made: Any) -> list[str]:
    """Return the tokenizer's own special tokens."""
    return list(made.additional_special_tokens)


def targets(made: Any) -> Any:
    """Tokenize texts as a model's targets."""
    with made.as_target_tokenizer():
        return made(TEXTS, padding=True)


def of_length(made: Any) -> Any:
    """Tokenize one text to 16 tokens, with arguments of old tutorials."""
    return made(TEXTS[0], max_length=16, truncation=True, pad_to_max_length=True)
