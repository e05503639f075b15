"""A training script for the Trainer with DeepSpeed: the same settings stand in two places."""

from __future__ import annotations

from typing import Any

from transformers import Trainer, TrainingArguments

DATA = [{"input_ids": [4, 5, 6, 7], "labels": [4, 5, 6, 7]}] * 16


def arguments(config: dict[str, Any], **settings: Any) -> TrainingArguments:
    """Return the arguments of the run.

    Args:
        config: What the DeepSpeed file says.
        **settings: Arguments that differ from the defaults of this script.
    """
    return TrainingArguments(
        output_dir="out",
        deepspeed=config,
        per_device_train_batch_size=1,
        max_steps=1,
        save_strategy="no",
        report_to=[],
        **settings,
    )


def train(model: Any, config: dict[str, Any], **settings: Any) -> Trainer:
    """Train for one step, and return the Trainer."""
    trainer = Trainer(model=model, args=arguments(config, **settings), train_dataset=DATA)
    trainer.train()
    return trainer
