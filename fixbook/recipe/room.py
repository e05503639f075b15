"""Hands out processor cores and GPU memory to the steps that run side by side."""

from __future__ import annotations

import math
import os
from contextlib import contextmanager
from threading import Condition
from typing import TYPE_CHECKING

from fixbook.environment import gpus

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fixbook.recipe.steps import Needs

_CONTEXT_GIB = 0.75  # what a process takes of a GPU before it has allocated anything
_UNSAID_GIB = 2.0  # for a step that does not say how much it needs


class Room:
    """What there is; whoever wants more than that gets all of it.

    Args:
        cores: Processor cores.
        gpu_gib: Free memory in GiB of the GPU that has least of it; every GPU step is counted
            there, as steps take the first GPU.
    """

    def __init__(self, cores: int, gpu_gib: float = math.inf) -> None:
        self.cores = cores
        self._gpu_gib = gpu_gib
        self._free = [float(cores), gpu_gib]
        self._changed = Condition()

    @classmethod
    def of_machine(cls) -> Room:
        """Return the room of this machine; without a GPU its memory is not counted."""
        return cls(usable_cores(), min((gpu.free_gib for gpu in gpus()), default=math.inf))

    @contextmanager
    def hold(self, needs: Needs) -> Iterator[None]:
        """Wait until a step fits, and keep its place while it runs."""
        cores = min(max(1, needs.ranks), self.cores)
        wanted = (float(cores), min(gpu_memory(needs), self._gpu_gib))
        with self._changed:
            self._changed.wait_for(
                lambda: all(free >= part for free, part in zip(self._free, wanted, strict=True))
            )
            self._add(-cores, -wanted[1])
        try:
            yield
        finally:
            with self._changed:
                self._add(cores, wanted[1])
                self._changed.notify_all()

    def _add(self, cores: float, gpu_gib: float) -> None:
        self._free[0] += cores
        if math.isfinite(self._gpu_gib):
            self._free[1] += gpu_gib


def gpu_memory(needs: Needs) -> float:
    """Return how much of a GPU a step is given, in GiB."""
    if needs.on == "cpu":
        return 0.0
    return (needs.gpu_memory_gib or _UNSAID_GIB) + _CONTEXT_GIB


def usable_cores() -> int:
    """Return how many processor cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
