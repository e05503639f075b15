"""Join the processes as launchers and libraries do, make the engine, and read its batch sizes."""

from __future__ import annotations

import json
from typing import Any

import torch
from failure import train
from transformers import TrainingArguments

from fixbook.recipe import device, measure, snippet, snippet_text
from fixbook.recipe.helpers import join_ranks, without_shared_memory_kernels

TWO = {"train_micro_batch_size_per_gpu": 2, "gradient_accumulation_steps": 1}


def two_keys() -> Any:
    """Return the batch sizes that the page prints."""
    return json.loads(snippet_text("two-keys"))


def begin(first: str, *, joined: bool) -> None:
    """Join torch's process group, or leave that too; then let ``first`` initialise DeepSpeed's."""
    if joined:
        join_ranks()
    else:
        without_shared_memory_kernels()
    if not joined and device() != "cpu":
        torch.cuda.set_device(device())
    if first == "deepspeed":
        snippet("init-first")
    elif first == "arguments":
        config = {"zero_optimization": {"stage": 3}, **TWO}
        TrainingArguments("out", deepspeed=config)  # use_cpu would leave DeepSpeed out


def run(
    batch: dict[str, Any], *, first: str = "deepspeed", joined: bool = True, zero_init: bool = False
) -> dict[str, Any]:
    """Make the engine, where DeepSpeed knows the processes or not, and return its batch sizes."""
    begin(first, joined=joined)
    measure(found=disagree())
    engine = train(batch, zero_init=zero_init)
    return {
        "total": engine.train_batch_size(),
        "micro": engine.train_micro_batch_size_per_gpu(),
        "accumulation": engine.gradient_accumulation_steps(),
    }


def disagree() -> bool:
    """Compare, as the page does, how many processes torch and DeepSpeed see."""
    seen = snippet("processes")
    measure(torch=seen["torch_sees"], deepspeed=seen["deepspeed_sees"])
    return bool(seen["torch_sees"] != seen["deepspeed_sees"])


def look(first: str) -> dict[str, Any]:
    """Ask the page's question before anything is trained."""
    begin(first, joined=True)
    return {"found": disagree()}
