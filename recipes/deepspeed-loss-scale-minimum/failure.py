"""A training loop with DeepSpeed in fp16, whose gradients are not finite in any step."""

import os
from pathlib import Path
from typing import Any

import deepspeed
import torch
import torch.distributed as dist
from torch import nn

X = torch.linspace(-1, 1, 32).reshape(4, 8)


def build(precision: dict[str, Any], *, stage: int = 2, broken: bool = False) -> Any:
    """Return the engine; ``broken``: one weight of the checkpoint is nan."""
    os.environ.update(RANK="0", LOCAL_RANK="0", WORLD_SIZE="1")
    where = Path("meeting").absolute().as_uri()
    dist.init_process_group("gloo", init_method=where, rank=0, world_size=1)
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(8, 8), nn.Linear(8, 1))
    if broken:
        model.state_dict()["0.weight"][0, 0] = float("nan")
    config = {
        "train_micro_batch_size_per_gpu": 4,
        "optimizer": {"type": "AdamW", "params": {"lr": 0.01, "torch_adam": True}},
        "zero_optimization": {"stage": stage},
        **precision,
    }
    return deepspeed.initialize(model=model, config=config)[0]


def train(engine: Any, *, size: float = 1e4, guard: Any = None, steps: int = 40) -> float:
    """Return the last loss; features of ``size`` 1e4 give gradients that pass 65504."""
    loss = torch.zeros(())
    for _ in range(steps):
        loss = engine((X * size).to(engine.module[0].weight.dtype)).float().square().mean()
        engine.backward(loss)
        engine.step()
        if guard:
            guard(engine, float(loss))
    return float(loss)
