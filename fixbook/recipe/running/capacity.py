"""Hands out places and GPU memory to the steps that run side by side."""

from __future__ import annotations

import math
import os
from contextlib import contextmanager
from threading import Condition, Lock
from typing import TYPE_CHECKING

from fixbook.environment import gpus, machine
from fixbook.recipe.running.devices import device_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fixbook.recipe.author.steps import Needs

# Steps wait for files, for each other's ranks and for time limits: with a place per core, the cores
# of a machine with two of them were idle four seconds in ten.
_PLACES_PER_CORE = 1.5
_CONTEXT_GIB = 0.75  # what a process takes of a GPU before it has allocated anything
_UNSAID_GIB = 2.0  # for a step that does not say how much it needs


class Room:
    """What there is; whoever wants more than that gets all of it.

    Args:
        places: How many processes of steps may run at a time.
        gpu_gib: Free memory in GiB of the GPU that has least of it; every GPU step is counted
            there, as steps take the first GPU.
    """

    def __init__(self, places: int, gpu_gib: float = math.inf) -> None:
        self.places = places
        self._gpu_gib = gpu_gib
        self._free = [float(places), gpu_gib]
        self._changed = Condition()
        self._next = Lock()  # held by the one that waits: nobody who wants less overtakes it

    @classmethod
    def of_machine(cls) -> Room:
        """Return the room of this machine; without a GPU its memory is not counted."""
        places = math.floor(usable_cores() * _PLACES_PER_CORE)
        return cls(places, min((gpu.free_gib for gpu in gpus()), default=math.inf))

    @contextmanager
    def hold(self, needs: Needs) -> Iterator[None]:
        """Wait until a step fits, and keep its place while it runs."""
        places = min(max(1, needs.ranks), self.places)
        wanted = (float(places), min(gpu_memory(needs), self._gpu_gib))
        with self._next, self._changed:
            self._changed.wait_for(
                lambda: all(free >= part for free, part in zip(self._free, wanted, strict=True))
            )
            self._add(-places, -wanted[1])
        try:
            yield
        finally:
            with self._changed:
                self._add(places, wanted[1])
                self._changed.notify_all()

    def _add(self, places: float, gpu_gib: float) -> None:
        self._free[0] += places
        if math.isfinite(self._gpu_gib):
            self._free[1] += gpu_gib


def gpu_memory(needs: Needs) -> float:
    """Return how much of a GPU a step is given, in GiB."""
    if device_of(needs, len(machine().gpus)) == "cpu":
        return 0.0
    return (needs.gpu_memory_gib or _UNSAID_GIB) + _CONTEXT_GIB


def usable_cores() -> int:
    """Return how many processor cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
