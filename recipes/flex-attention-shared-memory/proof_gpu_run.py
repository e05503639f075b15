"""A training step on a real GPU, compared with SDPA."""

from __future__ import annotations

from typing import Any


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
