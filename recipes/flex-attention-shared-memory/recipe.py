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

from proof_axolotl import train_as
from proof_detect import refused_by
from proof_gpu_run import away_from_sdpa

from fixbook.recipe import detect, fix, main, measure, non_fix, reproduce, snippet

COMPILES: dict[str, Any] = {
    "on": "cpu", "programs": ["c++"], "timeout_s": 300, "import_first": "proof_device",
}  # fmt: skip
AXOLOTL = COMPILES | {"env": {"AXOLOTL_DO_NOT_TRACK": "1"}}
REAL: dict[str, Any] = {"on": "cuda", "timeout_s": 300, "gpu_memory_gib": 2.0}
T4, RTX_3090, RTX_5090 = 75, 86, 120  # compute capabilities
T4_AND_RTX, A100_H100 = (75, 86, 89, 120), (80, 90)
IN_THE_WRONG_PLACE = {"BLOCK_M": 32, "BLOCK_N": 32, "num_stages": 1}
TOO_LARGE = {"fwd_BLOCK_M": 128, "fwd_BLOCK_N": 128, "fwd_num_stages": 1}  # 256 KiB for two tiles
SMALL = {"fwd_BLOCK_M": 32, "fwd_BLOCK_N": 32, "fwd_num_stages": 1}


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
def t4() -> dict[str, Any]:
    """With less shared memory it is the forward that does not fit."""
    return train_on(T4, dtype="float16")


@reproduce(**COMPILES)
def head_dim_512() -> dict[str, Any]:
    """With larger heads it is the forward, too."""
    return train_on(RTX_5090, head_dim=512)


@fix("smaller-blocks", control="rtx-5090", **COMPILES)
def smaller_blocks_on_an_rtx_5090() -> dict[str, Any]:
    """The code of the page runs before the model is made."""
    return train_on(RTX_5090, head_dim=192, run="smaller-blocks")


@fix("smaller-blocks", control="t4", **COMPILES)
def smaller_blocks_on_a_t4() -> dict[str, Any]:
    """The same code changes the forward alone."""
    return train_on(T4, dtype="float16", run="smaller-blocks")


@fix("smaller-blocks", control="head-dim-512", **COMPILES)
def smaller_blocks_at_head_dim_512() -> dict[str, Any]:
    """And here."""
    return train_on(RTX_5090, head_dim=512, run="smaller-blocks")


@reproduce(**AXOLOTL)
def axolotl() -> dict[str, Any]:
    """FlexAttention, as axolotl's examples ask for it."""
    return train_as("before.yaml")


@fix("smaller-blocks", control="axolotl", **AXOLOTL)
def axolotl_plugin() -> dict[str, Any]:
    """Axolotl loads the file of the page."""
    return train_as("after.yaml")


@fix("another-attention", control="rtx-5090", **COMPILES)
def sdpa() -> dict[str, Any]:
    """Triton has nothing to compile."""
    return train_on(RTX_5090, head_dim=192, attention="sdpa")


@fix("let-torch-search", control="rtx-5090", start="cold", **COMPILES)  # read at import
def search() -> dict[str, Any]:
    """Inductor drops candidates that do not fit, and takes one that does."""
    return train_on(RTX_5090, head_dim=192, export="let-torch-search")


@non_fix("blocks-in-compile-kwargs", control="axolotl", **AXOLOTL)
def axolotl_compile_kwargs() -> dict[str, Any]:
    """Axolotl accepts the keys, and no line of it hands them on."""
    return train_as("before.yaml", flex_attn_compile_kwargs=IN_THE_WRONG_PLACE)


@non_fix("fewer-stages-alone", control="rtx-3090", **COMPILES)
def one_stage() -> dict[str, Any]:
    """What the message suggests; torch has tried it by the time it prints it."""
    return train_on(RTX_3090, kernel_options={"num_stages": 1})


@detect(found=True, **COMPILES)
def heads_of_256() -> dict[str, Any]:
    """Cards for desktops, workstations and inference."""
    return refused_by(T4_AND_RTX, 256)


@detect(found=False, control="heads-of-256", **COMPILES)
def heads_of_128() -> dict[str, Any]:
    """The same cards, with heads of the common size."""
    return refused_by(T4_AND_RTX, 128)


@detect(found=False, control="heads-of-256", **COMPILES)
def smaller_blocks_up_to_256() -> dict[str, Any]:
    """The same cards, with the blocks of the page."""
    return refused_by(T4_AND_RTX, 128, 256, smaller=True)


@detect(found=False, control="heads-of-256", **COMPILES)
def data_centre() -> dict[str, Any]:
    """The same heads on an A100 and an H100."""
    return refused_by(A100_H100, 256)


@detect(found=True, **COMPILES)
def t4_at_512() -> dict[str, Any]:
    """Where the blocks of the page are still too large."""
    return refused_by((T4,), 512, smaller=True)


@reproduce(**REAL)
def blocks_that_no_gpu_can_hold() -> dict[str, Any]:
    """Larger than the shared memory of any GPU, so that any will do."""
    return away_from_sdpa(TOO_LARGE)


@fix("smaller-blocks", control="blocks-that-no-gpu-can-hold", **REAL)
def smaller_blocks_learn_the_same() -> dict[str, Any]:
    """Forward and backward run, with the gradients of SDPA."""
    return away_from_sdpa(SMALL)


if __name__ == "__main__":
    main(__file__)
