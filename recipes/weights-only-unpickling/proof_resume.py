"""A Trainer that resumes, after something was done to its random state."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import torch
from failure import as_numpy_1, train
from numpy.core.multiarray import _reconstruct  # the name that the message gives

from fixbook.recipe import device, measure, snippet
from fixbook.recipe.helpers import tiny_llama

RNG = Path("out/checkpoint-2/rng_state.pth")


def nothing() -> None:
    """Do nothing."""


def save_again() -> None:
    """Run the page's lines."""
    snippet("save-again", checkpoint=str(RNG.parent))


def allow_the_function() -> None:
    """Do what the message says."""
    torch.serialization.add_safe_globals([_reconstruct])
    measure(listed=_reconstruct in torch.serialization.get_safe_globals())


def allow_the_name() -> None:
    """Run the page's lines: the function with the name that the file has."""
    snippet("pair")


def set_the_variable() -> None:
    """Change the default of torch.load; measure that a plain one reads the file."""
    os.environ["TORCH_FORCE_NO_WEIGHTS_ONLY_LOAD"] = "1"
    measure(plain_load="numpy" in torch.load(RNG))


def delete() -> None:
    """Delete the random state."""
    RNG.unlink()


def resume(act: Any = nothing, *, rename: bool = True) -> dict[str, Any]:
    """Train for four steps, then again from the second, and compare the losses.

    Args:
        act: What is done before resuming.
        rename: Give the random state the names of NumPy 1 first.
    """
    cpu = device() == "cpu"
    straight = train(tiny_llama(attention_dropout=0.5), 4, cpu=cpu)
    if rename:
        as_numpy_1(RNG)
    act()
    missing = snippet("rng-state", checkpoint=str(RNG.parent))["missing"]
    resumed = train(tiny_llama(attention_dropout=0.5), 4, RNG.parent, cpu=cpu)
    apart = [abs(a - b) for a, b in zip(straight, resumed, strict=True)]
    return {"found": missing, "off_by": max(apart)}
