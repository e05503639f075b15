"""The page's callback in a run of one process, which has no process group."""

from __future__ import annotations

from typing import Any

import torch
import torch.distributed as dist
from failure import arguments, load, train
from proof_ranks import PER_RANK, STEPS, VOCABULARY

from fixbook.recipe import device, measure, snippet
from fixbook.recipe.helpers import tiny_llama


def run_alone() -> dict[str, Any]:
    """Train without ranks, and tell whether the callback stopped the run."""
    tiny_llama(tie_word_embeddings=False).save_pretrained("base")
    rows = torch.randint(VOCABULARY, (PER_RANK, 16))
    args = arguments(sharded=False, save_strategy="no", use_cpu=device() == "cpu")
    data = [{"input_ids": row, "labels": row} for row in rows]
    guard = snippet("every-rank-trains")["EveryRankTrains"]()
    try:
        trainer = train(load(meta=False), args, data, guard)
    except RuntimeError as error:
        print(f"RuntimeError: {error}")
        return {"found": True}
    measure(group=dist.is_initialized())
    return {"found": False, "steps": trainer.state.global_step / STEPS}
