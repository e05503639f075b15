"""Training under DeepSpeed, whose settings are left out: with the Trainer, and with accelerate."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch
from torch.utils.data import DataLoader
from transformers import Trainer, TrainingArguments

if TYPE_CHECKING:
    from collections.abc import Callable

    from accelerate import Accelerator

DATA = [{"input_ids": [4, 5, 6, 7], "labels": [4, 5, 6, 7]}] * 16


def train(
    model: Any, config: dict[str, Any], guard: Callable[[Trainer], Any] | None, **settings: Any
) -> Trainer:
    """Train for one step, or as many as told, and return the Trainer.

    Args:
        model: The model.
        config: What the DeepSpeed file says.
        guard: Returns a callback that checks the run, made for its Trainer.
        **settings: Arguments of the Trainer.
    """
    arguments = TrainingArguments(
        output_dir="out",
        deepspeed=config,
        per_device_train_batch_size=1,
        save_strategy="no",
        report_to=[],
        **{"max_steps": 1} | settings,
    )
    trainer = Trainer(model=model, args=arguments, train_dataset=DATA)
    if guard:
        trainer.add_callback(guard(trainer))
    trainer.train()
    return trainer


def train_in_a_loop(model: Any, accelerator: Accelerator, limit: float) -> Any:
    """Take one step in a loop that clips as accelerate's pages do, and return the engine."""
    optimizer = torch.optim.SGD(model.parameters(), lr=1e-2)
    data = DataLoader([{name: torch.tensor(ids) for name, ids in row.items()} for row in DATA[:1]])
    engine, optimizer, data = accelerator.prepare(model, optimizer, data)
    for batch in data:
        accelerator.backward(engine(**batch).loss)
        accelerator.clip_grad_norm_(engine.parameters(), limit)
        optimizer.step()
        optimizer.zero_grad()
    return engine
