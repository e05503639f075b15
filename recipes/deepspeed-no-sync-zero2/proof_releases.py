"""The Trainer's accumulation and accelerate's own, with releases that fail or do not."""

from __future__ import annotations

import contextlib
import os
from typing import Any

import deepspeed
import torch
from accelerate import Accelerator, DeepSpeedPlugin
from failure import settings
from proof_steps import raises
from transformers import Trainer, TrainingArguments

from fixbook.recipe import backend, device, measure
from fixbook.recipe.helpers import join_ranks, tiny_llama


def prepare() -> None:
    """Do what ``accelerate launch`` does."""
    os.environ["ACCELERATE_USE_DEEPSPEED"] = "true"
    join_ranks()
    deepspeed.init_distributed(backend(), auto_mpi_discovery=False)


def train() -> dict[str, Any]:
    """Let the Trainer take two steps under ZeRO-2."""
    prepare()
    config = {
        "train_micro_batch_size_per_gpu": "auto",
        "gradient_accumulation_steps": "auto",
        "zero_allow_untested_optimizer": True,
        "zero_optimization": {"stage": 2},
    }
    arguments = TrainingArguments(
        output_dir="out",
        per_device_train_batch_size=1,
        gradient_accumulation_steps=2,
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


def accumulate(*, in_the_context: bool = True) -> dict[str, Any]:
    """Accumulate two micro batches twice under ZeRO-2, with accelerate's own context or without."""
    prepare()
    plugin = DeepSpeedPlugin(hf_ds_config=settings(2, 2))
    accelerator = Accelerator(deepspeed_plugin=plugin)
    model = tiny_llama()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.5)
    engine, optimizer = accelerator.prepare(model, optimizer)
    ids = torch.tensor([[5, 6, 7, 8]] * 2).to(device())
    measure(in_the_context=in_the_context)
    for _ in range(4):
        with accelerator.accumulate(engine) if in_the_context else contextlib.nullcontext():
            accelerator.backward(engine(input_ids=ids, labels=ids).loss)
            optimizer.step()
            optimizer.zero_grad()
    stage = engine.zero_optimization_stage()
    return {"updates": engine.global_steps, "stage": stage, "found": raises(engine)}
