"""Processes of a run that compute: a compiler, one that tokenises, a rank in a long call.

A processor that is used tells nothing where a GPU is: who waits for one may ask it in a circle.
"""

from __future__ import annotations

import contextlib
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

_MOST_THREADS = 256
_GPUS = ("/dev/nvidia", "/dev/kfd", "/dev/dri/render", "/dev/davinci")
_RUNS = b"R"  # it has a processor, or would have one if the machine were less busy
# Of the time between two looks. Who waits uses none; who asks twenty times a second whether a
# file is there used half of it, and a small training that sleeps between its steps twice as much.
_WORKS = 0.005


def computes(pids: Iterable[int]) -> bool:
    """Tell whether any thread of these processes computes at this moment."""
    return any(_runs(pid) for pid in pids)


@dataclass(slots=True)
class Works:
    """Which processes compute: at a look, or between two, as loops that sleep at each step do.

    Attributes:
        waited: Seconds for which one that computes has waited for a processor: a busy machine.
        by_turns: Whether one has computed since the last look, and does not at this one.
        starved: Whether one that computes has waited for a processor for longer than it had one.
    """

    waited: float = 0.0
    by_turns: bool = False
    starved: bool = False
    _had: dict[int, _Had] = field(default_factory=dict)
    _at: int = 0

    def any(self, pids: Collection[int]) -> bool:
        """Tell whether any of these processes computes and has opened no GPU."""
        now = time.monotonic_ns()
        had = {pid: _had(pid) for pid in pids}
        grown = {pid: one.since(self._had.get(pid, one)) for pid, one in had.items()}
        least = _WORKS * (now - self._at)
        self._had, self._at = had, now
        running = {pid for pid in pids if _runs(pid)}
        found = {
            pid: one
            for pid, one in grown.items()
            if (one.used > least or pid in running) and not _has_gpu(pid)
        }
        self.by_turns = bool(found.keys() - running)
        self.starved = any(one.waited > one.used for one in found.values())
        self.waited += max((one.waited for one in found.values()), default=0) / 1e9
        return bool(found)


@dataclass(frozen=True, slots=True)
class _Had:
    """Nanoseconds of a main thread: on a processor, and ready for one that others had."""

    used: int = 0
    waited: int = 0

    def since(self, before: _Had) -> _Had:
        return _Had(self.used - before.used, self.waited - before.waited)


def _had(pid: int) -> _Had:
    """Return what the main thread has had; nothing where nobody counts."""
    with contextlib.suppress(OSError, ValueError, TypeError):
        return _Had(*map(int, Path(f"/proc/{pid}/schedstat").read_bytes().split()[:2]))
    return _Had()


def _has_gpu(pid: int) -> bool:
    with contextlib.suppress(OSError):
        for opened in Path(f"/proc/{pid}/fd").iterdir():
            with contextlib.suppress(OSError):
                if str(opened.readlink()).startswith(_GPUS):
                    return True
    return False


def _runs(pid: int) -> bool:
    with contextlib.suppress(OSError):
        for at, thread in enumerate(Path(f"/proc/{pid}/task").iterdir()):
            with contextlib.suppress(OSError):
                # The name stands in brackets, and may hold anything.
                state = (thread / "stat").read_bytes().rpartition(b") ")[2][:1]
                if state == _RUNS:
                    return True
            if at >= _MOST_THREADS:
                break
    return False
