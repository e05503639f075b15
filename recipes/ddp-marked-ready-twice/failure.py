"""LoRA on two ranks: DDP hears of a weight twice, as its layer is computed again in backward."""

from __future__ import annotations

from typing import Any

from transformers import Trainer, TrainingArguments

from fixbook.recipe import device


def trainer_for(
    model: Any,
    data: Any,
    *,
    reentrant: bool | None = True,
    trainer: type[Trainer] = Trainer,
    **options: Any,
) -> Trainer:
    """Build the Trainer of a LoRA run with gradient checkpointing.

    Args:
        model: A model with LoRA adapters.
        data: Rows of ``input_ids`` and ``labels``.
        reentrant: The kind of checkpointing; None leaves it to transformers.
        trainer: The class.
        **options: Further settings of `TrainingArguments`.
    """
    if reentrant is not None:
        options["gradient_checkpointing_kwargs"] = {"use_reentrant": reentrant}
    model.enable_input_require_grads()  # transformers 4 and PEFT ask for it; 5 does so by itself
    args = TrainingArguments(
        "out",
        gradient_checkpointing=True,
        per_device_train_batch_size=2,
        max_steps=2,
        learning_rate=1e-2,
        save_strategy="no",
        use_cpu=device() == "cpu",
        report_to=[],
        disable_tqdm=True,
        **options,
    )
    return trainer(model, args, train_dataset=data)
