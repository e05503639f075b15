"""What was allocated and released during a step, and how much there was at its peaks."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Literal

Kind = Literal["weights", "gradients", "optimizer", "activations", "scores", "logits", "temporary"]
KINDS: tuple[Kind, ...] = (
    "weights",
    "gradients",
    "optimizer",
    "activations",
    "scores",
    "logits",
    "temporary",
)
Phase = Literal["load", "forward", "backward", "optimizer"]
PHASES: tuple[Phase, ...] = ("forward", "backward", "optimizer")
_EDGE = 2  # layers at either end that differ from those between them


@dataclass(frozen=True, slots=True)
class Moment:
    """A part of a step: a phase, and where in the model it is.

    Attributes:
        phase: The phase.
        layer: The layer that works, from 0; None outside of the layers.
        after: True behind the layers: the norm, the head and the loss.
    """

    phase: Phase
    layer: int | None = None
    after: bool = False

    def at(self, layers: int) -> tuple[str, ...]:
        """Return the same place in a model of any depth; the middle is one place.

        Args:
            layers: How many layers this model has.
        """
        if self.layer is None:
            return (self.phase, "after" if self.after else "before")
        if self.layer < _EDGE:
            return (self.phase, f"first {self.layer}")
        if self.layer >= layers - _EDGE:
            return (self.phase, f"last {layers - self.layer}")
        return (self.phase, "middle")


Amounts = dict[Kind, float]  # bytes


@dataclass(slots=True)
class Trace:
    """Allocations and releases in their order.

    Attributes:
        events: Number and bytes of an allocation; the negative number and 0 of a release.
        kinds: What each allocation was for.
        moments: Where a moment begins: the index of its first event.
        loaded: How many events there were before the first step.
    """

    events: list[tuple[int, int]] = field(default_factory=list)
    kinds: dict[int, Kind] = field(default_factory=dict)
    moments: list[tuple[int, Moment]] = field(default_factory=list)
    loaded: int = 0

    def allocate(self, size: int, kind: Kind) -> int:
        """Record an allocation.

        Args:
            size: Bytes, as the allocator rounds them.
            kind: What it is for.

        Returns:
            Its number, from 1.
        """
        number = len(self.kinds) + 1
        self.kinds[number] = kind
        self.events.append((number, size))
        return number

    def release(self, number: int) -> None:
        """Record the release of an allocation."""
        self.events.append((-number, 0))

    def begin(self, moment: Moment) -> None:
        """Record that a moment begins."""
        self.moments.append((len(self.events), moment))

    def peaks(self, layers: int) -> dict[tuple[str, ...], Amounts]:
        """Return what there was at the peak of each moment, by kind.

        Args:
            layers: How many layers the model had.
        """
        live: Counter[Kind] = Counter()
        sizes: dict[int, int] = {}
        starts = dict(self.moments)  # of two that begin at once, the later one has the events
        place: tuple[str, ...] = ("load", "before")
        now = 0
        found: dict[tuple[str, ...], tuple[int, Amounts]] = {}
        for index, (number, size) in enumerate(self.events):
            if index in starts:
                place = starts[index].at(layers)
                here: tuple[int, Amounts] = (now, dict(live))
                found[place] = max(found.get(place, (0, {})), here, key=_total)
            if number > 0:
                sizes[number] = size
            else:
                size = -sizes.pop(-number)  # noqa: PLW2901
            now += size
            live[self.kinds[abs(number)]] += size
            if now > found.get(place, (0,))[0]:
                found[place] = (now, dict(live))
        return {place: amounts for place, (_, amounts) in found.items()}


def _total(peak: tuple[int, Amounts]) -> int:
    return peak[0]
