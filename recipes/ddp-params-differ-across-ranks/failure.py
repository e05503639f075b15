"""A training script whose ranks do not build the same model."""

from __future__ import annotations

from typing import Any

import torch
from torch import nn
from torch.nn.parallel import DistributedDataParallel


def build(rank: int, *, differs: str = "", meant: bool = False) -> nn.ModuleDict:
    """Build the model of a rank: an encoder and two heads for two tasks.

    Args:
        rank: The rank.
        differs: What rank 1 does otherwise: ``extra``, ``frozen``, ``wider`` or ``order``.
        meant: Whether all ranks do what rank 1 does: the fix.
    """
    other = differs if meant or rank == 1 else ""
    names = ["loss_head", "reward_head"]
    if other == "order":  # as the order of a set of strings, which each process draws anew
        names.reverse()
    model = nn.ModuleDict({"encoder": nn.Linear(8, 10 if other == "wider" else 8)})
    for name in names:
        model[name] = nn.Linear(10 if other == "wider" else 8, 8)
    if other == "extra":
        model["projector"] = nn.Linear(8, 8)
    if other == "frozen":
        model["reward_head"].requires_grad_(requires_grad=False)
    for name in names:  # as a checkpoint would fill them
        value = 1.0 if name == "loss_head" else 2.0
        nn.init.constant_(model[name].weight, value)
    return model


def wrap(model: Any) -> Any:
    """Hand the model to DDP, which sends rank 0's weights to all ranks."""
    return DistributedDataParallel(model)


def heads(model: Any) -> list[float]:
    """Return the mean weight of each head."""
    with torch.no_grad():
        return [float(model[name].weight.mean()) for name in ("loss_head", "reward_head")]
