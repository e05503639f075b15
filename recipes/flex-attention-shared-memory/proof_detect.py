"""The measurement of the page, on five families of GPUs."""

from __future__ import annotations

from typing import Any

from fixbook.recipe import detect, snippet

COMPILES = {"on": "cpu", "programs": ["c++"], "timeout_s": 300, "import_first": "proof_device"}
RTX_30_40_50, A100_H100 = (86, 89, 120), (80, 90)  # compute capabilities


def refused_by(gpus: tuple[int, ...], head_dim: int, *, smaller: bool = False) -> dict[str, Any]:
    """Run the page's measurement on GPUs that are simulated.

    Args:
        gpus: Their compute capabilities.
        head_dim: Size of one head.
        smaller: With the blocks that the page offers, in place of the defaults.

    Returns:
        Which of them refuse the blocks, and the bytes that the backward needed on each.
    """
    from proof_gpu import SimulatedGpu, without_memory

    simulated = SimulatedGpu(gpus[0])
    with without_memory():
        check = snippet("detect")
        blocks = snippet("smaller-blocks")["blocks"](head_dim) if smaller else None
    refused, needs = [], {}
    for gpu in gpus:
        simulated.become(gpu)
        with without_memory():
            if check["too_large"](head_dim, blocks):
                refused.append(f"sm_{gpu}")
        needs |= {f"sm_{gpu}_{key}": value for key, value in simulated.summary().items()}
    return {"found": refused != [], "refused": refused, **needs}


@detect(found=True, **COMPILES)
def heads_of_256() -> dict[str, Any]:
    """Cards for desktops and workstations."""
    return refused_by(RTX_30_40_50, head_dim=256)


@detect(found=False, control="heads-of-256", **COMPILES)
def heads_of_128() -> dict[str, Any]:
    """The same cards, with heads of the common size."""
    return refused_by(RTX_30_40_50, head_dim=128)


@detect(found=False, control="heads-of-256", **COMPILES)
def smaller_blocks_for_256() -> dict[str, Any]:
    """The same cards and heads, with the blocks of the page."""
    return refused_by(RTX_30_40_50, head_dim=256, smaller=True)


@detect(found=False, control="heads-of-256", **COMPILES)
def data_centre() -> dict[str, Any]:
    """The same heads on an A100 and an H100."""
    return refused_by(A100_H100, head_dim=256)
