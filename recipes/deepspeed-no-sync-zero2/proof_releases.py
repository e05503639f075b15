"""The Trainer's own accumulation: a release that fails under ZeRO-2, and one that does not."""

from __future__ import annotations

import os
from typing import Any

import deepspeed
import torch
import torch.distributed as dist
from accelerate import Accelerator, DeepSpeedPlugin
from failure import settings
from proof_steps import raises
from transformers import Trainer, TrainingArguments

from fixbook.recipe import fix, reproduce
from fixbook.recipe.helpers import tiny_llama, without_shared_memory_kernels

REST = [
    "accelerate==1.1.1",
    "huggingface-hub==0.36.0",
    "datasets==4.0.0",
]
FAILS = ["transformers==4.46.3", "tokenizers==0.20.3", *REST]
WORKS = ["transformers==4.47.1", "tokenizers==0.21.4", *REST]
ONCE = "an overlay of other releases"
BEFORE = ["accelerate==1.8.1"]
SINCE = ["accelerate==1.9.0"]


def train(*, accumulate: int = 2) -> dict[str, Any]:
    """Let the Trainer take two steps under ZeRO-2."""
    without_shared_memory_kernels()
    os.environ["ACCELERATE_USE_DEEPSPEED"] = "true"  # what ``accelerate launch`` sets
    dist.init_process_group("gloo")
    deepspeed.init_distributed("gloo", auto_mpi_discovery=False)
    config = {
        "train_micro_batch_size_per_gpu": "auto",
        "gradient_accumulation_steps": "auto",
        "zero_allow_untested_optimizer": True,
        "zero_optimization": {"stage": 2},
    }
    arguments = TrainingArguments(
        output_dir="out",
        per_device_train_batch_size=1,
        gradient_accumulation_steps=accumulate,
        max_steps=2,
        save_strategy="no",
        report_to=[],
        deepspeed=config,
        optim="sgd",
    )
    rows = [{"input_ids": [5, 6, 7, 8], "labels": [5, 6, 7, 8]}] * 16
    trainer: Any = Trainer(model=tiny_llama(), args=arguments, train_dataset=rows)
    trainer.train()
    engine = trainer.model_wrapped
    return {"updates": engine.global_steps, "found": raises(engine)}


@reproduce(on="cpu", ranks=2, versions=FAILS, record_once=ONCE)
def trainer_of_4_46() -> Any:
    """It enters no_sync for every micro batch but the last."""
    return train()


@fix("upgrade", control="trainer-of-4-46", on="cpu", ranks=2, versions=WORKS, record_once=ONCE)
def trainer_of_4_47() -> Any:
    """It leaves no_sync alone under DeepSpeed."""
    return train()


def accumulated() -> dict[str, Any]:
    """Accumulate two micro batches twice under ZeRO-2, with accelerate's own context."""
    without_shared_memory_kernels()
    os.environ["ACCELERATE_USE_DEEPSPEED"] = "true"
    dist.init_process_group("gloo")
    deepspeed.init_distributed("gloo", auto_mpi_discovery=False)
    plugin = DeepSpeedPlugin(hf_ds_config=settings(2, 2))
    accelerator = Accelerator(deepspeed_plugin=plugin)
    model = tiny_llama()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.5)
    engine, optimizer = accelerator.prepare(model, optimizer)
    ids = torch.tensor([[5, 6, 7, 8]] * 2)
    for _ in range(4):
        with accelerator.accumulate(engine):
            accelerator.backward(engine(input_ids=ids, labels=ids).loss)
            optimizer.step()
            optimizer.zero_grad()
    stage = engine.zero_optimization_stage()
    return {"updates": engine.global_steps, "stage": stage, "found": raises(engine)}


@reproduce(on="cpu", ranks=2, versions=BEFORE, record_once=ONCE)
def accelerate_1_8() -> Any:
    """It enters no_sync whatever the stage."""
    return accumulated()


@fix(
    "upgrade-accelerate",
    control="accelerate-1-8",
    on="cpu",
    ranks=2,
    versions=SINCE,
    record_once=ONCE,
)
def accelerate_1_9() -> Any:
    """It leaves no_sync alone from stage 2 on."""
    return accumulated()
