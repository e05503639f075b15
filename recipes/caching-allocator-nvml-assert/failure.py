"""A training step that needs more memory than the card has, alone and with accelerate's search."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch
from accelerate.utils import find_executable_batch_size

if TYPE_CHECKING:
    from collections.abc import Callable

SAMPLE = 2**30  # bytes of activations


def step(batch_size: int) -> int:
    """Take the memory of one batch, and give it back."""
    activations = torch.empty(batch_size, SAMPLE, dtype=torch.uint8, device="cuda")
    return len(activations)


def search(batch_size: int, tried: list[int], train: Callable[[int], int] = step) -> Any:
    """Let accelerate find a batch size that fits, as `auto_find_batch_size` of the Trainer does.

    Args:
        batch_size: The first to try.
        tried: Gets each that is tried.
        train: What to do with it.
    """

    def attempt(batch_size: int) -> int:
        tried.append(batch_size)
        return train(batch_size)

    return find_executable_batch_size(attempt, starting_batch_size=batch_size)()
