"""The real allocator of a GPU: a cap on its memory, two fixes, and two popular settings."""

from __future__ import annotations

import gc
from typing import Any

import torch
from failure import llama, tokens, train

from fixbook.recipe import fix, measure, non_fix, reproduce, snippet

GIB = 1024**3
CUDA = {"on": "cuda", "gpu_memory_gib": 8, "timeout_s": 180}


def peak(**options: Any) -> int:
    """Train one step from an empty cache; return the most that was allocated, in bytes."""
    gc.collect()
    torch.cuda.empty_cache()
    torch.cuda.reset_peak_memory_stats()
    one_step(**options)
    return torch.cuda.max_memory_allocated()


def one_step(*, micro_batch: int = 4, checkpointing: bool = False) -> None:
    """Train one step of a model with eight wide layers."""
    model = llama(layers=8, width=1024, checkpointing=checkpointing).to("cuda")
    train(model, tokens(4, 2048).to("cuda"), micro_batch=micro_batch)


def under_cap(*, emptied: bool = False, **options: Any) -> None:
    """Train under a cap between the peaks of a plain and of a checkpointed step."""
    cap = (peak() + peak(checkpointing=True)) / 2
    gc.collect()
    torch.cuda.empty_cache()
    torch.cuda.set_per_process_memory_fraction(
        cap / torch.cuda.get_device_properties(0).total_memory
    )
    torch.empty(int(cap / 2), dtype=torch.uint8, device="cuda")  # stays in the cache
    if emptied:
        torch.cuda.empty_cache()
    idle = torch.cuda.memory_reserved() - torch.cuda.memory_allocated()
    expandable = any(part.get("is_expandable") for part in torch.cuda.memory_snapshot())
    measure(cap_gib=round(cap / GIB, 2), idle_before_gib=round(idle / GIB, 2))
    measure(expandable=expandable)
    snippet("memory-snapshot", train_step=lambda: one_step(**options))


@reproduce(**CUDA)
def cuda_step_does_not_fit() -> None:
    """Run out of memory under a cap that a checkpointed step meets."""
    under_cap()


@fix("gradient-checkpointing", control="cuda-step-does-not-fit", **CUDA)
def cuda_checkpointing_fits() -> None:
    """Meet the cap."""
    under_cap(checkpointing=True)


@fix("smaller-micro-batch", control="cuda-step-does-not-fit", **CUDA)
def cuda_one_row_at_a_time_fits() -> None:
    """Meet the cap."""
    under_cap(micro_batch=1)


@non_fix(
    "expandable-segments",
    control="cuda-step-does-not-fit",
    env={"PYTORCH_CUDA_ALLOC_CONF": "expandable_segments:True"},
    **CUDA,
)
def cuda_expandable_segments() -> None:
    """Run out just the same: what is in use alone exceeds the cap."""
    under_cap()


@non_fix("empty-the-cache", control="cuda-step-does-not-fit", **CUDA)
def cuda_cache_emptied_first() -> None:
    """Run out just the same: the allocator gives idle memory back before it gives up."""
    under_cap(emptied=True)
