"""Batches of different lengths, and a queue on the GPU that keeps something of each of them."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

import torch

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

LAYERS, LAYER, LOGITS, KEPT = 12, 96, 300, 30  # KiB a token, as of a model of 3B in bf16


def room(tokens: int, kib: int) -> torch.Tensor:
    """Take memory of the GPU for so many tokens."""
    return torch.empty(tokens * kib * 1024, dtype=torch.uint8, device="cuda")


def train(
    lengths: Iterable[int],
    *,
    keep_on: str = "cuda",
    between: Callable[[], None] | None = None,
    queue: int = 12,
) -> int:
    """Train on batches of these lengths.

    Args:
        lengths: Tokens of each batch.
        keep_on: Where something of each batch is kept, as a replay buffer or rollouts do.
        between: What is done before each batch.
        queue: Of how many batches something is kept.

    Returns:
        Batches that were trained on.
    """
    kept: deque[torch.Tensor] = deque(maxlen=queue)
    done = 0
    for tokens in lengths:
        if between:
            between()
        activations = [room(tokens, LAYER) for _ in range(LAYERS)]
        logits = room(tokens, LOGITS)
        del logits
        kept.append(room(tokens, KEPT).to(keep_on))
        activations.clear()
        done += 1
    return done
