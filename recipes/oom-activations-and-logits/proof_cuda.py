"""The real allocator of a GPU, with a cap on its memory."""

from __future__ import annotations

import gc
from typing import Any

import torch
from failure import tokens, train
from proof_limit import model_of

from fixbook.recipe import measure

GIB = 1024**3


def peak(**options: Any) -> int:
    """Train one step from an empty cache; return the most that was allocated, in bytes."""
    gc.collect()
    torch.cuda.empty_cache()
    torch.cuda.reset_peak_memory_stats()
    one_step(**options)
    return torch.cuda.max_memory_allocated()


def one_step(*, checkpointing: bool = False) -> None:
    """Train one step of a model with eight wide layers."""
    model = model_of(layers=8, width=512, checkpointing=checkpointing).to("cuda")
    train(model, tokens(4, 1024).to("cuda"))


def under_cap(*, checkpointing: bool = False) -> dict[str, Any]:
    """Train under a cap between the peaks of a plain and of a checkpointed step."""
    cap = (peak() + peak(checkpointing=True)) / 2
    gc.collect()
    torch.cuda.empty_cache()
    torch.cuda.set_per_process_memory_fraction(
        cap / torch.cuda.get_device_properties(0).total_memory
    )
    measure(cap_gib=round(cap / GIB, 2))
    torch.cuda.reset_peak_memory_stats()
    one_step(checkpointing=checkpointing)
    return {"share_of_cap": torch.cuda.max_memory_allocated() / cap}
