"""A model of FSDP whose inner module is used before the whole."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn
from torch.distributed.fsdp import FullyShardedDataParallel, StateDictType, fully_shard

from fixbook.recipe import measure, snippet


class Model(nn.Module):
    """Two layers and a head."""

    def __init__(self) -> None:
        """Make them."""
        super().__init__()
        self.layers = nn.ModuleList(nn.Linear(4, 4) for _ in range(2))
        self.head = nn.Linear(4, 2)

    def forward(self, x: Tensor) -> Tensor:
        """Run them all."""
        for layer in self.layers:
            x = layer(x)
        head: Tensor = self.head(x)
        return head


def build(device: torch.device, version: int = 1) -> Any:
    """Hand every layer, then the whole, to FSDP."""
    model = Model().to(device)
    for i, layer in enumerate(model.layers):
        if version == 1:
            model.layers[i] = FullyShardedDataParallel(layer, device_id=device)
        else:
            fully_shard(layer)
    if version == 1:
        return FullyShardedDataParallel(model, device_id=device)
    return fully_shard(model)


def use(model: Any, first: str, x: Tensor) -> None:
    """Use the model, or a part of it, before the training's first forward."""
    inside = getattr(model, "module", model)
    if first == "layer":
        inside.layers[0](x)
    elif first == "save inside":
        inside.state_dict()
    elif first == "type outside":
        with FullyShardedDataParallel.state_dict_type(model, StateDictType.FULL_STATE_DICT):
            measure(saved=len(inside.state_dict()))
    elif first == "save inside, save":
        inside.state_dict()
        model.state_dict()
    elif first == "save":
        snippet("save", model=model)
    elif first == "whole, layer":
        snippet("once", model=model, batch=x)
        inside.layers[0](x)
