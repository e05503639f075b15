"""A model that ZeRO-3 has partitioned and that no engine serves, in a forward and in an update."""
# /// script
# requires-python = ">=3.11"
# dependencies = ["fixbook", "torch==2.13.0", "transformers==5.23.0", "deepspeed==0.19.8"]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

import tempfile
from typing import Any

import deepspeed
import torch
import torch.distributed as dist
from failure import IDS, ask, load, settings

from fixbook.recipe import detect, fix, main, measure, non_fix, reproduce, snippet
from fixbook.recipe.helpers import tiny_llama, without_shared_memory_kernels


def models(**changes: Any) -> Any:
    """Write a student and a teacher, other weights each, and load them as the failing code does."""
    without_shared_memory_kernels()
    folders = [tempfile.mkdtemp(dir=".") for _ in range(2)]
    for seed, folder in enumerate(folders):
        tiny_llama(seed=seed).save_pretrained(folder)
    student, teacher = load(*folders, **changes)
    weight = teacher.model.embed_tokens.weight
    both = student is not teacher and student.name_or_path == teacher.name_or_path
    measure(world=dist.get_world_size(), shape=list(weight.shape), copied=both)
    return student, teacher


def run(
    *, served: bool = False, gather: bool = False, head: bool = False, **changes: Any
) -> dict[str, Any]:
    """Ask the teacher, and compare with the same weights in one plain process."""
    _, teacher = models(**changes)
    if served:
        teacher = snippet("serve")["serve"](teacher, settings(3))
    logits = ask(teacher, gather=gather, head=head)
    with torch.no_grad():
        known = tiny_llama(seed=1)(input_ids=IDS).logits
    return {"off_by": (logits - known).abs().max().item()}


def look(*, served: bool = False) -> dict[str, Any]:
    """List what the snippet finds in the teacher."""
    _, teacher = models()
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


@reproduce(on="cpu", ranks=2)
def teacher_without_engine() -> Any:
    """Its weights are partitioned, and no hook gathers them."""
    return run()


@reproduce(on="cpu", ranks=2)
def head_without_engine() -> Any:
    """Another layer comes first, and finds its weight empty in its own words."""
    return run(head=True)


@reproduce(on="cpu")
def started_by_python() -> Any:
    """One process alone, without a launcher."""
    return run()


@fix("an-engine-of-its-own", control="teacher-without-engine", on="cpu", ranks=2)
def teacher_with_engine() -> Any:
    """DeepSpeed installs its hooks in the teacher too."""
    return run(served=True)


@fix("gather-around-it", control="teacher-without-engine", on="cpu", ranks=2)
def teacher_gathered() -> Any:
    """The weights are whole while the teacher is asked."""
    return run(gather=True)


@fix("keep-it-whole", control="teacher-without-engine", on="cpu", ranks=2)
def teacher_loaded_first() -> Any:
    """No configuration asks transformers for a partition yet."""
    return run(early=True)


@fix("keep-it-whole", control="teacher-without-engine", on="cpu", ranks=2)
def zero_2() -> Any:
    """ZeRO-2 leaves weights whole."""
    return run(stage=2)


@non_fix("launcher", control="started-by-python", on="cpu", ranks=2)
def started_by_torchrun() -> Any:
    """Two ranks have two partitions, and still nobody to gather them."""
    return run()


@non_fix("copy-the-student", control="teacher-without-engine", on="cpu", ranks=2)
def student_copied() -> Any:
    """The copy is empty too."""
    return run(copied=True)


@detect(found=True, on="cpu", ranks=2)
def listed_without_engine() -> Any:
    """Everything the teacher has is listed."""
    return look()


@detect(found=False, control="listed-without-engine", on="cpu", ranks=2)
def listed_with_engine() -> Any:
    """Its engine gathers it: nothing is listed."""
    return look(served=True)


@detect(found=True, on="cpu", ranks=2)
def averaged_bare() -> Any:
    """Empty tensors are averaged, and nothing raises."""
    return average(gathered=False)


@detect(found=False, control="averaged-bare", on="cpu", ranks=2)
def averaged_gathered() -> Any:
    """Rank 0 writes, and the write is partitioned again."""
    return average(gathered=True)


if __name__ == "__main__":
    main(__file__)
