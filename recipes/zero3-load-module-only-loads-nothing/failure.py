"""Train under ZeRO, save twice, and load weights alone from one of the two."""

from collections.abc import Callable
from typing import Any

import deepspeed
import torch
from torch import nn

X = torch.linspace(-1, 1, 32).reshape(4, 8)


def build(
    stage: int, seed: int, first: Callable[[Any], Any] | None = None, *, frozen: bool = False
) -> Any:
    """Return the engine of a small model, its weights fresh, or what ``first`` makes of them."""
    torch.manual_seed(seed)
    model = nn.Sequential(nn.Linear(8, 8), nn.Tanh(), nn.Linear(8, 1))
    model[0].requires_grad_(not frozen)
    model = first(model) if first else model
    config = {
        "train_micro_batch_size_per_gpu": 4,
        "optimizer": {"type": "AdamW", "params": {"lr": 0.1, "torch_adam": True}},
        "zero_optimization": {"stage": stage},
    }
    return deepspeed.initialize(model=model, config=config)[0]


def train_and_save(stage: int, folder: str, *, frozen: bool = False) -> None:
    """Save after 20 steps and again after 40."""
    engine = build(stage, seed=0, frozen=frozen)
    for step in range(1, 41):
        engine.backward((engine(X.to(engine.device)) - 1).square().mean())
        engine.step()
        if step % 20 == 0:
            engine.save_checkpoint(folder, tag=f"step{step}")


def load(stage: int, folder: str, *, frozen: bool = False, **how: Any) -> Any:
    """Load weights into a model whose own are others."""
    engine = build(stage, seed=1, frozen=frozen)
    path, _ = engine.load_checkpoint(folder, **how)
    print(f"loaded from {path}")
    return engine
