"""A script of one's own on accelerate, and libraries that call the accelerate installed."""

from typing import Any

import torch
from torch.utils.data import DataLoader

from fixbook.recipe import device

ROWS = torch.arange(10.0)


def imported(name: str, source: str = "accelerate") -> Any:
    """Import a name as a script does."""
    names: dict[str, Any] = {}
    exec(f"from {source} import {name}", names)  # noqa: S102
    return names[name]


def evaluated(accelerator: Any) -> tuple[DataLoader[Any], float, int]:
    """Read ten rows in batches of two, each rank its share; return loader, mean and row count."""
    loader = accelerator.prepare(DataLoader(ROWS, batch_size=2))  # type: ignore[arg-type]
    total = torch.zeros(2)
    for batch in loader:
        total += torch.tensor([batch.sum(), len(batch)])
    total = accelerator.reduce(total, "sum")
    return loader, float(total[0] / total[1]), int(total[1])


def fine_tuned(model: Any) -> Any:
    """Train two steps with the Trainer."""
    from transformers import Trainer, TrainingArguments

    ids = torch.arange(16).reshape(2, 8)
    rows: Any = [{"input_ids": row, "labels": row} for row in ids]
    chosen: dict[str, Any] = {"use_cpu": device() == "cpu", "report_to": "none"}
    args = TrainingArguments(output_dir="out", max_steps=2, learning_rate=1e-2, **chosen)
    Trainer(model, args, train_dataset=rows).train()
    return model


def with_adapter(model: Any) -> Any:
    """Put a LoRA on the model."""
    config = imported("LoraConfig", "peft")(target_modules=["q_proj"])
    return imported("get_peft_model", "peft")(model, config)
