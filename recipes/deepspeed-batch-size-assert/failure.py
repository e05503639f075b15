"""A training script that hands its batch sizes to DeepSpeed."""

from __future__ import annotations

from typing import Any

import deepspeed
from torch import nn


def train(batch: dict[str, Any], *, zero_init: bool = False) -> Any:
    """Return the engine of a small model.

    Args:
        batch: The batch sizes of the DeepSpeed file.
        zero_init: Whether the model is made under ``zero.Init``, as ``from_pretrained`` does.
    """
    config: dict[str, Any] = {
        "zero_optimization": {"stage": 3},
        "optimizer": {"type": "AdamW", "params": {"lr": 1e-3, "torch_adam": True}},
        **batch,
    }
    if zero_init:
        with deepspeed.zero.Init(config_dict_or_path=config):
            model = nn.Linear(8, 8)
    else:
        model = nn.Linear(8, 8)
    return deepspeed.initialize(model=model, config=config)[0]
