"""What the steps compare with plain torch: the weights after the same samples."""

from __future__ import annotations

from typing import Any

import deepspeed
import torch
import torch.distributed as dist
from failure import start, train
from torch import Tensor, nn

from fixbook.recipe import device, measure, snippet
from fixbook.recipe.helpers import join_ranks, tiny_llama

MICRO = 4


def batches(rank: int) -> list[Tensor]:
    """Return the micro batches of a rank."""
    first = torch.arange(32).reshape(2, 16).to(device())
    return [(first + 7 * number + 3 * rank) % 128 for number in range(MICRO)]


def weights(model: Any) -> Tensor:
    """Return all weights as one tensor, gathered where they are partitioned."""
    every = list(model.parameters())
    with deepspeed.zero.GatheredParameters(every, enabled=hasattr(every[0], "ds_id")):
        return nn.utils.parameters_to_vector(every).detach().clone()


def in_one_process() -> Tensor:
    """Train on the same samples with plain torch: two micro batches of two ranks a step."""
    model = tiny_llama().to(device())
    optimizer = torch.optim.SGD(model.parameters(), lr=0.5)
    every = [batches(rank) for rank in range(2)]
    for number in range(0, MICRO, 2):
        ids = torch.cat([rank[at] for rank in every for at in (number, number + 1)])
        model(input_ids=ids, labels=ids).loss.backward()
        optimizer.step()
        optimizer.zero_grad()
    return weights(model)


def run(*, stage: int = 3, accumulate: int = 2, left_to_it: bool = False) -> dict[str, Any]:
    """Train; ``left_to_it`` leaves the accumulation to the engine, as the page does."""
    join_ranks()
    known = in_one_process()
    model = tiny_llama().to(device())
    engine = start(model, stage=stage, accumulate=accumulate)
    measure(
        stage=engine.zero_optimization_stage(), accumulation=engine.gradient_accumulation_steps()
    )
    mine = batches(dist.get_rank())
    if left_to_it:
        snippet("loop", engine=engine, batches=mine)
    else:
        train(engine, mine, accumulate=accumulate)
    off_by = (weights(model) - known).abs().max().item()
    return {"updates": engine.global_steps, "off_by": off_by, "found": raises(engine)}


def raises(engine: Any) -> bool:
    """Say whether the assertion of the page raises."""
    try:
        snippet("due", engine=engine, micro_batches=MICRO)
    except AssertionError:
        return True
    return False
