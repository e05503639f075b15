"""Tensors that stay behind when a model goes to a GPU: an attribute, positions, a head."""

from typing import Any

import torch
from torch import nn


class Scorer(nn.Module):
    """A layer, a fixed scale, positions, and a head, each of which can be elsewhere."""

    def __init__(self, *, buffer: bool = True) -> None:
        """Keep the scale as a buffer, or as a plain attribute."""
        super().__init__()
        self.linear, self.head = nn.Linear(4, 4), nn.Linear(4, 2)
        self.scale: Any
        if buffer:
            self.register_buffer("scale", torch.ones(4))
        else:
            self.scale = torch.ones(4)

    def forward(self, x: Any, *, anywhere: bool = False, follow: bool = False) -> Any:
        """Score; positions are made where the input is, the head may be followed to its device."""
        positions = torch.arange(4, device=None if anywhere else x.device)
        hidden = self.linear(x) * self.scale + positions
        return self.head(hidden.to(self.head.weight.device) if follow else hidden)
