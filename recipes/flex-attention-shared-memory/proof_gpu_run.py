"""The failure and the smaller blocks on a real GPU."""

from __future__ import annotations

from typing import Any

from fixbook.recipe import fix, reproduce

REAL = {"on": "cuda", "timeout_s": 300, "gpu_memory_gib": 2.0}
TOO_LARGE = {"fwd_BLOCK_M": 128, "fwd_BLOCK_N": 128, "fwd_num_stages": 1}  # 256 KiB for two tiles
SMALL = {"fwd_BLOCK_M": 32, "fwd_BLOCK_N": 32, "fwd_num_stages": 1}


def gradients(attention: str, **options: Any) -> list[Any]:
    """Return the gradients of one training step, in float32."""
    import failure

    model = failure.train(attention, head_dim=512, **options)
    return [weight.grad.float() for weight in model.parameters()]


def away_from_sdpa(blocks: dict[str, int]) -> dict[str, Any]:
    """Train with FlexAttention and these blocks, and with SDPA; compare the gradients.

    Returns:
        The largest difference, as a share of the largest gradient of the same weight.
    """
    found = gradients("flex_attention", kernel_options=blocks)
    wanted = gradients("sdpa")
    pairs = zip(found, wanted, strict=True)
    return {"error": max(float((a - b).abs().max() / b.abs().max()) for a, b in pairs)}


@reproduce(**REAL)
def blocks_that_no_gpu_can_hold() -> dict[str, Any]:
    """Larger than the shared memory of any GPU, so that any will do."""
    return away_from_sdpa(TOO_LARGE)


@fix("smaller-blocks", control="blocks-that-no-gpu-can-hold", **REAL)
def smaller_blocks_learn_the_same() -> dict[str, Any]:
    """Forward and backward run, with the gradients of SDPA."""
    return away_from_sdpa(SMALL)
