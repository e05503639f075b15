"""Load the two models, ask one of them, and compare with the same weights in a plain process."""

from __future__ import annotations

import os
import tempfile
from typing import Any

import deepspeed
import torch
import torch.distributed as dist
from accelerate import Accelerator, DeepSpeedPlugin
from failure import IDS, ask, load, settings
from transformers import AutoModelForCausalLM
from transformers.integrations.deepspeed import is_deepspeed_zero3_enabled

from fixbook.recipe import device, measure, snippet
from fixbook.recipe.helpers import join_ranks, tiny_llama


def models(**changes: Any) -> Any:
    """Write a student and a teacher, other weights each, and load them as the failing code does."""
    folders = written()
    join_ranks()
    student, teacher = load(*folders, **changes)
    weight = teacher.model.embed_tokens.weight
    both = student is not teacher and student.name_or_path == teacher.name_or_path
    measure(world=dist.get_world_size(), shape=list(weight.shape), copied=both)
    return student, teacher


def written() -> list[str]:
    """Write both on every rank, before it joins: later transformers writes on one alone."""
    folders = [tempfile.mkdtemp(dir=".") for _ in range(2)]
    for seed, folder in enumerate(folders):
        tiny_llama(seed=seed).save_pretrained(folder)
    return folders


def off_by(logits: Any, *, seed: int = 1) -> float:
    """Say how far logits are from those of the whole model in one process."""
    with torch.no_grad():
        known = tiny_llama(seed=seed).to(device())(input_ids=IDS.to(device())).logits
    return float((logits - known).abs().max())


def run(
    *, served: bool = False, gather: bool = False, head: bool = False, **changes: Any
) -> dict[str, Any]:
    """Ask the teacher, and compare with the same weights in one plain process."""
    _, teacher = models(**changes)
    if served:
        teacher = snippet("serve")["serve"](teacher, settings(3))
    measure(found=bool(snippet("unserved")["unserved"](teacher)))
    if gather:
        forward = snippet("gather")["forward"]
        return {"off_by": off_by(forward(teacher, input_ids=IDS.to(device())).logits)}
    return {"off_by": off_by(ask(teacher, head=head))}


def ask_student(*, initialize: bool) -> dict[str, Any]:
    """Encode a batch with the model being trained, before or after it has its engine."""
    student, _ = models(initialize=initialize)
    return {"off_by": off_by(ask(student), seed=0)}


def outside(how: str = "read") -> dict[str, Any]:
    """Load the teacher while an Accelerator for ZeRO-3 exists.

    Args:
        how: ``read`` as it is, in the ``context`` of accelerate, or ``whole`` with the page's code.
    """
    _, folder = written()
    os.environ["ACCELERATE_USE_DEEPSPEED"] = "true"  # what ``accelerate launch`` sets
    join_ranks()
    plugin = DeepSpeedPlugin(hf_ds_config=settings(3), zero3_init_flag=True)
    accelerator = Accelerator(deepspeed_plugin=plugin)
    measure(init=plugin.is_zero3_init_enabled())
    if how == "whole":
        teacher: Any = snippet("whole", accelerator=accelerator, folder=folder)["teacher"]
        teacher.to(device())
    elif how == "context":
        with plugin.zero3_init_context_manager(enable=False):
            measure(init=plugin.is_zero3_init_enabled())
            teacher = AutoModelForCausalLM.from_pretrained(folder)
    else:
        teacher = AutoModelForCausalLM.from_pretrained(folder)
    return {"off_by": off_by(ask(teacher)), "later": is_deepspeed_zero3_enabled()}


def look(*, served: bool = False, whole: bool = False) -> dict[str, Any]:
    """List what the snippet finds in the teacher, or in a model that was never partitioned."""
    _, teacher = models(early=whole)
    if served:
        snippet("serve")["serve"](teacher, settings(3))
    rows = snippet("unserved")["unserved"](teacher)
    return {"found": bool(rows), "first": rows[0] if rows else "", "rows": len(rows)}


def average(*, gathered: bool) -> dict[str, Any]:
    """Move the teacher half of the way to the student, and say how far it went."""
    student, teacher = models()
    pair = [student.lm_head.weight, teacher.lm_head.weight]
    with deepspeed.zero.GatheredParameters(pair):
        before, apart = pair[1].detach().clone(), (pair[0] - pair[1]).abs().max().item()
    if gathered:
        snippet("average")["average"](student, teacher, 0.5)
    else:
        for new, mean in zip(student.parameters(), teacher.parameters(), strict=True):
            mean.data.lerp_(new.data, 0.5)
    bare = student.lm_head.weight
    measure(norm=bare.norm().item(), numel=bare.numel())
    with deepspeed.zero.GatheredParameters(pair):
        moved = (pair[1] - before).abs().max().item()
    return {"moved": moved, "apart": apart, "found": moved == 0}
