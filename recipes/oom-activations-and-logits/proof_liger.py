"""Liger's fused loss, its own kernel run on the CPU by Triton's interpreter."""

from __future__ import annotations

from typing import Any

from proof_limit import train_within
from recipe import TRAIN_MIB

from fixbook.recipe import fix

INTERPRETED = {"TRITON_INTERPRET": "1"}


@fix(
    "fused-loss",
    control="logits-do-not-fit",
    on="cpu",
    env=INTERPRETED,
    needs=["liger_kernel"],
    timeout_s=300,
)
def liger_loss_fits() -> dict[str, Any]:
    """Never hold all logits: what `use_liger_kernel` and axolotl's plugin switch on."""
    return train_within(TRAIN_MIB, loss="liger")
