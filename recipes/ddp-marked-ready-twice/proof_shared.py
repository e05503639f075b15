"""A layer that one forward uses twice, and checkpointing that a library brings itself."""

from __future__ import annotations

from typing import Any

import torch
import torch.distributed as dist
from proof_ranks import farthest
from torch import nn
from torch.nn.parallel import DistributedDataParallel
from torch.utils.checkpoint import checkpoint

from fixbook.recipe import backend, device, measure, snippet


class Shared(nn.Module):
    """A layer of its own, then one that is checkpointed in two places."""

    def __init__(self, *, reentrant: bool) -> None:
        super().__init__()
        self.first = nn.Linear(4, 4)  # DDP waits for it while the other reports twice
        self.layer = nn.Linear(4, 4)
        self.reentrant = reentrant

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return a loss."""
        x = self.first(x)
        for _ in range(2):
            x = checkpoint(self.layer, x, use_reentrant=self.reentrant)
        return x.square().mean()


def shared(*, reentrant: bool) -> dict[str, Any]:
    """Run one forward and one backward without the search for unused weights.

    Returns:
        How far the gradients of the ranks are apart.
    """
    if device() != "cpu":
        torch.cuda.set_device(device())
    dist.init_process_group(backend())
    torch.manual_seed(0)
    model: Any = DistributedDataParallel(Shared(reentrant=reentrant).to(device()))
    measure(find_unused=model.find_unused_parameters)
    x = torch.full((2, 4), dist.get_rank() + 1.0, device=device())
    model(x).backward()
    return {"apart": farthest(torch.cat([p.grad.flatten() for p in model.parameters()]))}


class OffloadedCheckpointer(torch.autograd.Function):
    """Checkpointing as libraries write it themselves: computed again inside backward."""

    @staticmethod
    def forward(ctx: Any, layer: Any, x: torch.Tensor) -> torch.Tensor:
        """Keep the input alone."""
        ctx.layer = layer
        ctx.save_for_backward(x)
        with torch.no_grad():
            return layer(x)  # type: ignore[no-any-return]

    @staticmethod
    def backward(ctx: Any, *grads: Any) -> Any:
        """Compute the layer again, and its gradients."""
        x = ctx.saved_tensors[0].detach().requires_grad_()
        with torch.enable_grad():
            out = ctx.layer(x)
        torch.autograd.backward(out, grads)
        return None, x.grad


def own_function() -> dict[str, Any]:
    """Count the nodes of two such layers, as the page does."""
    x = torch.randn(2, 4, device=device(), requires_grad=True)
    for _ in range(2):
        apply: Any = OffloadedCheckpointer.apply
        x = apply(nn.Linear(4, 4).to(device()), x)
    blocks = snippet("graph")["reentrant_blocks"](x.square().mean())
    return {"found": blocks > 0, "blocks": blocks}
