"""A validation loop that keeps what its DataLoader gives it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch
from torch.utils.data import DataLoader

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

SAMPLES: Any = [torch.full((8,), number) for number in range(400)]


def loader(batch_size: int = 1, **options: Any) -> Any:
    """Return a loader of 400 samples with two workers."""
    return DataLoader(SAMPLES, **{"batch_size": batch_size, "num_workers": 2} | options)


def collect(batches: Iterable[Any], keep: Callable[[Any], Any] = lambda batch: batch) -> list[Any]:
    """Keep each batch, or what is made of it."""
    return [keep(batch) for batch in batches]
