"""A function that torch.compile is to compile for a GPU."""

from __future__ import annotations

import torch


def f(x: torch.Tensor) -> torch.Tensor:
    """Compute something that Inductor makes one kernel of."""
    return torch.sin(x) * 2


def train() -> str:
    """Run the compiled function on the GPU."""
    x = torch.empty(4, device="cuda")
    return str(torch.compile(f)(x).device)
