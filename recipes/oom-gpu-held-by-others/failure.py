"""A model is put on a GPU."""

from __future__ import annotations

import torch

GIB = 2**30


def load(gib: float, device: str = "cuda") -> torch.Tensor:
    """Take the memory of a model's weights on a GPU.

    Args:
        gib: How much, in GiB.
        device: Which GPU.
    """
    return torch.empty(int(gib * GIB), dtype=torch.uint8, device=device)
