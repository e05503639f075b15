"""The measurement of the page, on GPUs that are simulated."""

from __future__ import annotations

import itertools
from typing import Any

from fixbook.recipe import snippet

AMPERE = 80  # the first GPUs with bfloat16


def refused_by(gpus: tuple[int, ...], *head_dims: int, smaller: bool = False) -> dict[str, Any]:
    """Run the page's measurement on GPUs that are simulated.

    Args:
        gpus: Their compute capabilities; those before Ampere compute in float16.
        *head_dims: Sizes of one head.
        smaller: With the blocks that the page offers, in place of the defaults.

    Returns:
        Which of them refuse the blocks, and the bytes that were needed on each.
    """
    from proof_gpu import SimulatedGpu, without_memory

    simulated = SimulatedGpu(gpus[0])
    import torch

    with without_memory():
        check = snippet("detect")
        blocks = snippet("smaller-blocks")["blocks"] if smaller else lambda _: None
    refused: list[str] = []
    needs: dict[str, int] = {}
    for head_dim, gpu in itertools.product(head_dims, gpus):
        simulated.become(gpu)
        dtype = torch.bfloat16 if gpu >= AMPERE else torch.float16
        with without_memory():
            if check["too_large"](head_dim, blocks(head_dim), dtype):
                refused.append(f"sm_{gpu}")
        summary = simulated.summary()
        needs[f"sm_{gpu}_limit"] = summary["limit"]
        for direction in summary.keys() & {"forward", "backward"}:
            needs[f"sm_{gpu}_{direction}_{head_dim}"] = summary[direction]
    return {"found": refused != [], "refused": refused, **needs}
