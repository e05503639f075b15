"""A checkpoint with more than tensors in it, and a Trainer that resumes from another NumPy's."""

from __future__ import annotations

import argparse
import zipfile
from typing import TYPE_CHECKING, Any

import torch
from transformers import Trainer, TrainingArguments, set_seed

if TYPE_CHECKING:
    from pathlib import Path


def save(path: Path) -> None:
    """Save a model and the arguments of the run."""
    args = argparse.Namespace(lr=1e-3, layers=2)
    torch.save({"model": torch.nn.Linear(4, 4).state_dict(), "args": args}, path)


def train(model: Any, steps: int, resume: Path | None = None, *, cpu: bool) -> list[float]:
    """Train with dropout, save in the middle, and return the loss of each step."""
    set_seed(0)
    args = TrainingArguments(
        output_dir="out",
        max_steps=steps,
        save_steps=2,
        logging_steps=1,
        per_device_train_batch_size=2,
        use_cpu=cpu,
        report_to=[],
        disable_tqdm=True,
    )
    rows = [{"input_ids": torch.arange(8) + i, "labels": torch.arange(8) + i} for i in range(8)]
    trainer = Trainer(model, args, train_dataset=rows)
    trainer.train(resume_from_checkpoint=str(resume) if resume else None)
    return [row["loss"] for row in trainer.state.log_history if "loss" in row]


def as_numpy_1(path: Path) -> None:
    """Give the RNG state the module names that NumPy 1 writes into it."""
    with zipfile.ZipFile(path) as file:
        parts = {name: file.read(name) for name in file.namelist()}
    with zipfile.ZipFile(path, "w") as file:
        for name, data in parts.items():
            file.writestr(name, data.replace(b"numpy._core.", b"numpy.core."))
