"""A training script for the Trainer with DeepSpeed, whose file leaves settings out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from transformers import Trainer, TrainingArguments

if TYPE_CHECKING:
    from collections.abc import Callable

DATA = [{"input_ids": [4, 5, 6, 7], "labels": [4, 5, 6, 7]}] * 16


def train(
    model: Any, config: dict[str, Any], guard: Callable[[Trainer], Any] | None, **settings: Any
) -> Trainer:
    """Train for one step, and return the Trainer.

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
        max_steps=1,
        lr_scheduler_type="constant",
        save_strategy="no",
        report_to=[],
        **settings,
    )
    trainer = Trainer(model=model, args=arguments, train_dataset=DATA)
    if guard:
        trainer.add_callback(guard(trainer))
    trainer.train()
    return trainer
