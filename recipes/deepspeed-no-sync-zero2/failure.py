"""A loop from DDP, moved to DeepSpeed: it suspends the reduction itself while it accumulates."""

from __future__ import annotations

import contextlib
from typing import Any

import deepspeed
import torch
from torch import Tensor


def settings(stage: int, accumulate: int) -> dict[str, Any]:
    """Return the configuration of the run."""
    return {
        "train_micro_batch_size_per_gpu": 2,
        "gradient_accumulation_steps": accumulate,
        "gradient_clipping": 0.0,
        "zero_allow_untested_optimizer": True,
        "zero_optimization": {"stage": stage},
    }


def start(model: Any, *, stage: int, accumulate: int = 2) -> Any:
    """Return the engine."""
    optimizer = torch.optim.SGD(model.parameters(), lr=0.5)
    config = settings(stage, accumulate)
    return deepspeed.initialize(model=model, optimizer=optimizer, config=config)[0]


def train(engine: Any, batches: list[Tensor], *, accumulate: int = 2) -> None:
    """Reduce gradients with the last of ``accumulate`` micro batches, as DDP wants it."""
    for number, ids in enumerate(batches, start=1):
        last = number % accumulate == 0
        with contextlib.nullcontext() if last else engine.no_sync():
            engine.backward(engine(input_ids=ids, labels=ids).loss)
        if last:
            engine.step()
