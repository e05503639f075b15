"""Training with fp16=True whose trainable weights are in half precision already."""

from __future__ import annotations

from typing import Any

import torch
from torch.amp import GradScaler
from transformers import Trainer, TrainingArguments


def build(model: Any, *, precision: str = "fp16", **settings: Any) -> Trainer:
    """Return a Trainer of four steps."""
    generator = torch.Generator().manual_seed(0)
    rows = torch.randint(4, 128, (8, 12), generator=generator).tolist()
    quiet: dict[str, Any] = {"report_to": "none", "save_strategy": "no", "disable_tqdm": True}
    few = {"max_steps": 4, "per_device_train_batch_size": 1, "logging_steps": 1}
    chosen = {precision: True} if precision else {}
    arguments = TrainingArguments("out", **quiet | few | chosen | settings)
    data: Any = [{"input_ids": row, "labels": row} for row in rows]
    return Trainer(model, arguments, train_dataset=data)


def step(dtype: torch.dtype, device: str) -> float:
    """Take one step of a layer by hand, as a loop with a scaler does; return how far it moved."""
    layer = torch.nn.Linear(8, 8, device=device, dtype=dtype)
    before = layer.bias.detach().clone()
    optimizer = torch.optim.AdamW(layer.parameters())
    scaler = GradScaler(device)
    scaler.scale(layer(torch.ones(4, 8, device=device, dtype=dtype)).mean()).backward()
    scaler.step(optimizer)
    scaler.update()
    return (layer.bias.detach() - before).norm().item()
