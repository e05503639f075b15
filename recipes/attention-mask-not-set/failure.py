"""Prompts of different lengths, tokenized with padding, and generate given the ids alone."""

from typing import Any

from fixbook.recipe.helpers import tiny_llama, tiny_tokenizer

TEXTS = ["the model reads", "a loss goes down, or it does not"]


def model() -> Any:
    """Return a model without a token for padding, as Llama and many others are."""
    return tiny_llama(pad_token_id=None, initializer_range=0.2).eval()


def tokenizer() -> Any:
    """Return its tokenizer, which pads with the token that ends a text."""
    made = tiny_tokenizer()
    made.pad_token = made.eos_token
    made.model_input_names = ["input_ids", "attention_mask"]
    return made


def generate(model: Any, ids: Any, **options: Any) -> Any:
    """Generate four tokens from ids; return those alone."""
    out = model.generate(ids, max_new_tokens=4, do_sample=False, **options)
    return out[:, ids.shape[1] :]
