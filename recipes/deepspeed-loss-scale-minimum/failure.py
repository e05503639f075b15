"""A training loop with DeepSpeed in fp16, whose gradients are not finite in any step."""

from typing import Any

import deepspeed
import torch
from torch import nn

X = torch.linspace(-1, 1, 32).reshape(4, 8)
PRECISION: dict[str, dict[str, Any]] = {
    "fp16": {"fp16": {"enabled": True}},
    "static": {"fp16": {"enabled": True, "loss_scale": 8}},
    "lower": {"fp16": {"enabled": True, "min_loss_scale": 1e-10}},
    "bf16": {"bf16": {"enabled": True}},
    "fp32": {},
}


def build(precision: str, *, stage: int = 2, broken: bool = False, rate: float = 0.01) -> Any:
    """Return the engine; ``broken``: one weight of the checkpoint is nan."""
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(8, 8), nn.Linear(8, 1))
    if broken:
        model.state_dict()["0.weight"][0, 0] = float("nan")
    config = {
        "train_micro_batch_size_per_gpu": 4,
        "optimizer": {"type": "AdamW", "params": {"lr": rate, "torch_adam": True}},
        "zero_optimization": {"stage": stage},
        **PRECISION[precision],
    }
    return deepspeed.initialize(model=model, config=config)[0]


def train(engine: Any, *, size: float = 1e4, guard: Any = None, steps: int = 40) -> float:
    """Return the last loss; features of ``size`` 1e4 give gradients that pass 65504."""
    loss = torch.zeros(())
    features = (X * size).to(engine.device, engine.module[0].weight.dtype)
    for _ in range(steps):
        loss = engine(features).float().square().mean()
        engine.backward(loss)
        engine.step()
        if guard:
            guard(engine, float(loss))
    return float(loss)
