"""Tensors that stay behind when a model goes to a GPU: an attribute, positions, a head, labels."""

from typing import Any

import torch
from torch import nn


def as_attribute(self: Any, scale: Any) -> None:
    """Keep a constant as a plain attribute."""
    self.scale = scale


def in_containers(self: Any, scale: Any) -> None:
    """Keep constants in a list, and in a dict in it."""
    self.scale = [scale, {"last": scale}]


def anywhere(_x: Any) -> Any:
    """Make positions without a device."""
    return torch.arange(4)


def where_it_was(self: Any, hidden: Any, labels: Any) -> Any:
    """Give the head its input and the labels where they are."""
    return self.head(hidden).gather(-1, labels)


class Scorer(nn.Module):
    """A layer, a fixed scale, positions, and a head, each of which can be elsewhere."""

    def __init__(self, keep: Any = as_attribute) -> None:
        """Keep the scale in one of two ways."""
        super().__init__()
        self.linear, self.head = nn.Linear(4, 4), nn.Linear(4, 2)
        keep(self, torch.ones(4))

    def forward(self, x: Any, labels: Any, positions: Any = anywhere, head: Any = None) -> Any:
        """Score the labels."""
        hidden = self.linear(x) * self.scale + positions(x)
        return (head or where_it_was)(self, hidden, labels)
