"""The same with the Trainer: its checkpoint of two ranks, resumed by one."""

from __future__ import annotations

import os
import sys
from typing import Any

import deepspeed
import torch
from deepspeed.checkpoint import ds_to_universal
from failure import join
from transformers import Trainer, TrainingArguments

from fixbook.recipe.helpers import tiny_llama, without_shared_memory_kernels

DATA = [{"input_ids": [4, 5, 6, 7], "labels": [4, 5, 6, 7]}] * 16


def train(rank: int, world: int, steps: int, resume: bool, universal: bool) -> Any:  # noqa: FBT001
    """Train up to a number of steps, saving at every second."""
    join(rank, world, f"trainer-{steps}")
    deepspeed.init_distributed("gloo", auto_mpi_discovery=False)
    config = {
        "zero_optimization": {"stage": 2},
        "train_micro_batch_size_per_gpu": "auto",
        "gradient_clipping": "auto",
        "zero_allow_untested_optimizer": True,
        "checkpoint": {"load_universal": universal},
    }
    arguments = TrainingArguments(
        "out",
        max_steps=steps,
        save_steps=2,
        report_to=[],
        deepspeed=config,
        logging_steps=1,
        per_device_train_batch_size=1,
    )
    trainer = Trainer(tiny_llama(), arguments, train_dataset=DATA)
    trainer.train(resume_from_checkpoint="out/checkpoint-2" if resume else None)
    return trainer


def resumed(*, convert: bool) -> dict[str, Any]:
    """Save on two ranks, convert or not, and resume on this one."""
    os.environ["ACCELERATE_USE_DEEPSPEED"] = "true"  # what ``accelerate launch`` sets
    without_shared_memory_kernels()
    processes: Any = torch.multiprocessing  # its functions have no types
    processes.start_processes(train, (2, 2, False, False), nprocs=2, start_method="fork")
    if convert:
        ds_to_universal.main(options("out/checkpoint-2/global_step2", "--inject_missing_state"))
    trainer = train(0, 1, 4, resume=True, universal=convert)
    logged = [row["step"] for row in trainer.state.log_history if "loss" in row]
    return {"steps": trainer.state.global_step, "logged": logged}


def options(folder: str, *flags: str) -> Any:
    """Return the options of a conversion."""
    sys.argv[1:] = ["--input_folder", folder, "--output_folder", f"{folder}_universal", *flags]
    return ds_to_universal.parse_arguments()
