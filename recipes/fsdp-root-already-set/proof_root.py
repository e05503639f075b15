"""What came before the first forward, and whether the model trains afterwards."""

from __future__ import annotations

from typing import Any

import torch
from failure import build, use
from torch import Tensor, nn
from torch.distributed.fsdp import FullyShardedDataParallel

from fixbook.recipe import backend, device, snippet


def ready() -> Tensor:
    """Join the ranks, and make a batch."""
    torch.distributed.init_process_group(backend())
    torch.manual_seed(0)
    return torch.randn(3, 4, device=device())


def step(model: Any, x: Tensor) -> dict[str, Any]:
    """Train one step."""
    loss = model(x).square().mean()
    loss.backward()
    return {"trained": all(p.grad is not None for p in model.parameters() if p.numel())}


def train(first: str, *, version: int = 1) -> dict[str, Any]:
    """Use the model, then train it."""
    x = ready()
    model = build(torch.device(device()), version)
    use(model, first, x)
    return step(model, x)


def wrapped(*, late: bool) -> dict[str, Any]:
    """Wrap the model once more, after its first forward or before."""
    x = ready()
    model = build(torch.device(device()))
    if late:
        model(x)
    outer = FullyShardedDataParallel(
        nn.Sequential(model, nn.Linear(2, 2)), device_id=torch.device(device())
    )
    return step(outer, x)


def look(first: str, *, version: int = 1) -> dict[str, Any]:
    """Ask the page's check."""
    x = ready()
    model = build(torch.device(device()), version)
    use(model, first, x)
    try:
        snippet("early", model=model)
    except AssertionError as error:
        return {"found": True, "message": str(error)}
    return {"found": False}
