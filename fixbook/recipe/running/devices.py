"""On which device of this machine a step runs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from fixbook.recipe.author.steps import DEVICES

if TYPE_CHECKING:
    from fixbook.recipe.author.steps import Needs

Device = Literal["cpu", "cuda"]


def device_of(needs: Needs, gpus: int) -> Device:
    """Return where a step runs: one for any device takes GPUs if each of its ranks gets one.

    Args:
        needs: What the step asks for.
        gpus: How many GPUs this process may use.
    """
    if needs.on == "any":
        return "cuda" if gpus >= max(1, needs.ranks) else "cpu"
    return "cpu" if needs.on == "cpu" else "cuda"


def gpus_wanted(needs: Needs) -> int:
    """Return how many GPUs a step needs when it runs on them."""
    if needs.on == "any":
        return max(1, needs.ranks)
    cuda = DEVICES.fullmatch(needs.on)
    return int((cuda and cuda[1]) or 1)
