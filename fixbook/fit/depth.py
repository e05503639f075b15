"""Peaks of a deep model from two shallow ones: each moment grows by the same with each layer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fixbook.fit.trace import KINDS, PHASES

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from fixbook.fit.trace import Amounts

    Peaks = Mapping[tuple[str, ...], Amounts]

FEW = (3, 4)  # both ends of a model and what is between them


def deep(peaks: Callable[[int], Peaks], layers: int, few: tuple[int, int] = FEW) -> Peaks:
    """Return the peaks of a model whose layers are alike.

    The peak of a whole step is not linear in the layers, since it moves from one moment to
    another; that of a moment is.

    Args:
        peaks: Returns the peaks of the model with a number of layers.
        layers: How many it has.
        few: The numbers to try.
    """
    low, high = few
    if layers <= high:
        return peaks(layers)
    below, above = peaks(low), peaks(high)
    steps = (layers - low) / (high - low)
    return {
        place: {
            kind: start + (above[place].get(kind, 0) - start) * steps
            for kind in KINDS
            for start in [below[place].get(kind, 0)]
        }
        for place in below
        if place in above
    }


def by_phase(peaks: Peaks) -> dict[str, Amounts]:
    """Return what there is at the peak of each phase of a step."""
    found: dict[str, Amounts] = {}
    for phase in PHASES:
        own = [amounts for place, amounts in peaks.items() if place[0] == phase]
        found[phase] = max(own, key=total, default={})
    return found


def total(amounts: Amounts) -> float:
    """Return the bytes of all kinds together."""
    return sum(amounts.values())
