"""A model with the SyncBatchNorm of an older torch, which asks for its group whenever it trains."""

from __future__ import annotations

from typing import Any

import torch
import torch.distributed as dist
from torch import nn

from fixbook.recipe import snippet


class OlderSyncBatchNorm(nn.SyncBatchNorm):
    """Ask how many processes there are, as torch did before it looked whether there is a group."""

    def forward(self, input: torch.Tensor) -> torch.Tensor:  # noqa: A002 - torch's own name
        """Normalise; in training over all processes."""
        if self.training:
            dist.get_world_size()
        return super().forward(input)


def batch(*, page: bool = False) -> dict[str, Any]:
    """Train a model for a step, with its norms as they are or after the page's lines."""
    torch.manual_seed(0)
    head = nn.Sequential(OlderSyncBatchNorm(4), nn.ReLU())
    model = nn.Sequential(nn.Conv2d(3, 4, 1), OlderSyncBatchNorm(4), head)
    images = torch.randn(2, 3, 5, 5)
    before = model.eval()(images)
    if page:
        snippet("revert", model=model)
    same = model.eval()(images).equal(before)
    model.train()(images).sum().backward()
    left = sum(isinstance(part, nn.SyncBatchNorm) for part in model.modules())
    return {"same": same, "left": left}
