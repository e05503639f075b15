"""FlexAttention compiles a kernel that needs more shared memory than the GPU has."""

# /// script
# requires-python = ">=3.11"
# dependencies = [
#     "fixbook", "torch==2.13.0", "triton==3.7.1", "transformers==5.23.0", "axolotl==0.19.0",
#     "ruamel.yaml==0.19.1",
# ]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
#
# [[tool.uv.dependency-metadata]]
# name = "axolotl"
# version = "0.19.0"
# requires-dist = []
# ///
from __future__ import annotations

from typing import Any

from fixbook.recipe import fix, main, measure, non_fix, reproduce, snippet

COMPILES = {"on": "cpu", "programs": ["c++"], "timeout_s": 300, "import_first": "proof_device"}
RTX_3090, RTX_5090 = 86, 120  # compute capabilities
ALL_32 = {
    "BLOCK_M": 32, "BLOCK_N": 32, "BLOCK_M1": 32, "BLOCK_N1": 32, "BLOCK_M2": 32, "BLOCK_N2": 32,
    "num_stages": 1,
}  # fmt: skip


def train_on(gpu: int, run: str = "", export: str = "", **options: Any) -> dict[str, Any]:
    """Train for a step on a GPU that is simulated, and fail where its compiler fails.

    Args:
        gpu: Its compute capability.
        run: A Python snippet of the page that runs before the model is made.
        export: A shell snippet of the page that runs before all else.
        **options: See `failure.train`.

    Returns:
        What was compiled, see `proof_gpu.SimulatedGpu.summary`.
    """
    from proof_gpu import SimulatedGpu, without_memory
    from proof_search import Search
    from proof_search import export as take_over

    if export:
        take_over(export)
    simulated, search = SimulatedGpu(gpu), Search()
    import failure

    if run:
        snippet(run)
    try:
        with without_memory():
            failure.train(**options)
    finally:
        measure(**simulated.summary(), tried=search.tried, dropped=search.dropped)
    return {"trained": True}


@reproduce(**COMPILES)
def rtx_5090() -> dict[str, Any]:
    """Default blocks: the forward compiles, the backward does not fit."""
    return train_on(RTX_5090, head_dim=192)


@reproduce(**COMPILES)
def rtx_3090() -> dict[str, Any]:
    """The blocks are those of the A100, whose thread blocks may have more."""
    return train_on(RTX_3090)


@reproduce(**COMPILES)
def head_dim_512() -> dict[str, Any]:
    """Above 256 it is the forward that does not fit."""
    return train_on(RTX_5090, head_dim=512)


@fix("smaller-blocks", control="rtx-5090", **COMPILES)
def smaller_blocks_on_an_rtx_5090() -> dict[str, Any]:
    """The code of the page runs before the model is made."""
    return train_on(RTX_5090, head_dim=192, run="smaller-blocks")


@fix("smaller-blocks", control="rtx-3090", **COMPILES)
def smaller_blocks_on_an_rtx_3090() -> dict[str, Any]:
    """The same code for the older family."""
    return train_on(RTX_3090, run="smaller-blocks")


@fix("smaller-blocks", control="head-dim-512", **COMPILES)
def smaller_blocks_at_head_dim_512() -> dict[str, Any]:
    """The same code changes the forward alone."""
    return train_on(RTX_5090, head_dim=512, run="smaller-blocks")


@fix("another-attention", control="rtx-5090", **COMPILES)
def sdpa() -> dict[str, Any]:
    """Triton has nothing to compile."""
    return train_on(RTX_5090, head_dim=192, attention="sdpa")


@fix("let-torch-search", control="rtx-5090", start="cold", **COMPILES)  # read at import
def search() -> dict[str, Any]:
    """Inductor drops candidates that do not fit, and takes one that does."""
    return train_on(RTX_5090, head_dim=192, export="let-torch-search")


@non_fix("fewer-stages-alone", control="rtx-3090", **COMPILES)
def one_stage() -> dict[str, Any]:
    """What the message suggests; torch has tried it by the time it prints it."""
    return train_on(RTX_3090, kernel_options={"num_stages": 1})


@non_fix("one-size-for-every-head", control="head-dim-512", **COMPILES)
def blocks_of_32() -> dict[str, Any]:
    """Blocks that suit 256 are larger than the defaults here."""
    return train_on(RTX_5090, head_dim=512, kernel_options=ALL_32)


if __name__ == "__main__":
    main(__file__)
