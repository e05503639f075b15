"""Load a model with an argument that from_pretrained of this release does not take."""

from __future__ import annotations

from typing import Any

from transformers import AutoModelForCausalLM

from fixbook.recipe.helpers import tiny_llama


def save() -> None:
    """Save a small model, in bf16."""
    tiny_llama().bfloat16().save_pretrained("model")


def load(**arguments: Any) -> Any:
    """Load it."""
    return AutoModelForCausalLM.from_pretrained("model", **arguments)
