"""Trainings whose optimizer DeepSpeed keeps in CPU memory (ZeRO-Offload)."""

from __future__ import annotations

from typing import Any

import deepspeed
import torch
from transformers import Trainer, TrainingArguments

OFFLOAD = {"stage": 2, "offload_optimizer": {"device": "cpu"}}
ROWS = [{"input_ids": [4, 5, 6, 7], "labels": [4, 5, 6, 7]}] * 4


def train(**params: Any) -> Any:
    """Take one step with the optimizer of the configuration, and return the engine."""
    config = {
        "train_micro_batch_size_per_gpu": 1,
        "gradient_clipping": 0.0,
        "zero_optimization": OFFLOAD,
        "optimizer": {"type": "AdamW", "params": {"lr": 1e-3, "weight_decay": 0.0, **params}},
    }
    model = torch.nn.Linear(4, 4, bias=False)
    torch.nn.init.zeros_(model.weight)
    engine, *_ = deepspeed.initialize(
        model=model, model_parameters=model.parameters(), config=config
    )
    engine.backward(engine(torch.ones(1, 4)).sum())
    engine.step()
    return engine


def with_trainer(model: Any, optim: str, written: dict[str, Any], callbacks: list[Any]) -> Any:
    """Train one step with the Trainer, and return the engine.

    Args:
        model: The model.
        optim: Which optimizer the training arguments ask for.
        written: What the DeepSpeed file says beside the offload.
        callbacks: Callbacks of the Trainer.
    """
    config = {
        "train_micro_batch_size_per_gpu": "auto",
        "gradient_clipping": "auto",
        "zero_optimization": OFFLOAD,
        **written,
    }
    arguments = TrainingArguments(
        "out",
        deepspeed=config,
        optim=optim,
        learning_rate=1e-3,
        max_steps=1,
        save_strategy="no",
        report_to=[],
    )
    trainer = Trainer(model, arguments, train_dataset=ROWS, callbacks=callbacks)
    trainer.train()
    return trainer.model_wrapped
