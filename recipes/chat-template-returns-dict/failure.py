"""Code that expects a list of ids, or a tensor, from apply_chat_template."""

from typing import Any

import torch

from fixbook.recipe.helpers import tiny_tokenizer

TEMPLATE = (
    "{% for m in messages %}{{ m['role'] }}: {{ m['content'] }}\n{% endfor %}"
    "{% if add_generation_prompt %}{{ 'assistant: ' }}{% endif %}"
)
CHAT = [{"role": "user", "content": "the model reads a text"}]
LONG = [{"role": "user", "content": "a loss goes down, or it does not " * 9}]
ASK: dict[str, Any] = {"add_generation_prompt": True}


def tokenizer() -> Any:
    """Return a tokenizer with a chat template."""
    made = tiny_tokenizer()
    made.chat_template = TEMPLATE
    return made


def generate(model: Any, ids: Any) -> list[int]:
    """Give it to generate, as most model cards do."""
    out = model.generate(ids.to(model.device), max_new_tokens=4, do_sample=False)
    return [int(one) for one in out[0]]


def as_tensor(ids: Any) -> Any:
    """Make a tensor of it."""
    return torch.tensor([ids])


def with_end(ids: Any, end: int) -> Any:
    """Append the token that ends an answer."""
    return ids + [end]  # noqa: RUF005


def short_enough(chats: list[Any], ids_of: Any, limit: int) -> list[Any]:
    """Keep the chats that fit."""
    return [chat for chat in chats if len(ids_of(chat)) <= limit]
