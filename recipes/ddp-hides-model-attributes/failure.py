"""A model inside DistributedDataParallel or DataParallel, used as if it were bare."""

from __future__ import annotations

from typing import Any

from torch.nn.parallel import DataParallel, DistributedDataParallel

from fixbook.recipe.helpers import tiny_llama

WRAPPERS = {"ddp": DistributedDataParallel, "dp": DataParallel, "bare": lambda model: model}


def build() -> Any:
    """Return a small Llama, the same on all ranks."""
    return tiny_llama(num_hidden_layers=1, eos_token_id=None)


def generate(model: Any, inputs: Any) -> Any:
    """Write a few tokens, as an evaluation between two epochs does."""
    return model.generate(**inputs, max_new_tokens=2, do_sample=False)


def last_token(model: Any) -> Any:
    """Read the configuration, as a script that pads does."""
    return model.config.pad_token_id
