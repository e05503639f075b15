"""A run that saves until the disk is full: with torch, safetensors, DCP and the Trainer."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import torch
from safetensors.torch import load_file, save_file
from torch.distributed import checkpoint
from transformers import Trainer, TrainingArguments

from fixbook.recipe.helpers import private_mount, tiny_llama

DISK = Path("disk")
ROWS = [{"input_ids": [5, 6, 7, 8], "labels": [5, 6, 7, 8]}] * 12


def disk(size: int, inodes: int = 0) -> Path:
    """Return the folder of a file system of that size in bytes."""
    DISK.mkdir()
    private_mount(size, DISK, inodes=inodes)
    return DISK


def state(step: int) -> dict[str, Any]:
    """Return what a run saves: 1 MB at step 1, 2 MB at step 2."""
    return {"step": step, "weight": torch.full((step * 250_000,), float(step))}


def loads(file: Path) -> str:
    """Say which step the file holds, or that it does not load."""
    try:
        loaded = load_file(file) if file.suffix == ".safetensors" else torch.load(file)
    except Exception:  # noqa: BLE001 - each format says it in its own way
        return "does not load"
    return f"step {loaded['weight'][0]:.0f}"


def save_safetensors(file: Path, step: int) -> None:
    """Save the tensor alone."""
    save_file({"weight": state(step)["weight"]}, str(file))


def save_in_the_background(folder: Path) -> Any:
    """Save with `async_save`, and return its future."""
    dcp: Any = checkpoint  # its functions have no types
    return dcp.async_save(state(2), checkpoint_id=str(folder))


def trainer(folder: Path, **options: Any) -> Trainer:
    """Return a Trainer of three steps that saves after each."""
    arguments = TrainingArguments(
        output_dir=str(folder), max_steps=3, save_steps=1, per_device_train_batch_size=4,
        report_to="none", use_cpu=True, disable_tqdm=True, **options,
    )  # fmt: skip
    return Trainer(tiny_llama(), arguments, train_dataset=ROWS)
