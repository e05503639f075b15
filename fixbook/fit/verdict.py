"""Whether a need fits on a card, and what was allowed for."""

from __future__ import annotations

from typing import Literal

GIB = 2**30
MIB = 2**20
CONTEXT = 512 * MIB  # of CUDA on a card; 105 to 600 MiB have been seen, and it is not predicted
WORKSPACE = 32 * MIB  # of cuBLAS on current cards
NEAR = 0.1  # of a card: as near as this, a prediction does not decide

Verdict = Literal["fits", "too-close", "does-not-fit"]


def need(allocated: float) -> float:
    """Return what a card must have: the peak of the tensors, and what is allowed for."""
    return allocated + CONTEXT + WORKSPACE


def verdict(allocated: float, card: float) -> Verdict:
    """Tell whether a peak fits.

    Args:
        allocated: Bytes of tensors at the peak.
        card: Bytes of the card.
    """
    share = need(allocated) / card
    if share <= 1 - NEAR:
        return "fits"
    return "too-close" if share <= 1 + NEAR else "does-not-fit"
