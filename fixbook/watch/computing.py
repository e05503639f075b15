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
    from collections.abc import Iterable

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
    """Which processes compute: at a look, or between two, as loops that sleep at each step do."""

    _used: dict[int, int] = field(default_factory=dict)
    _at: int = 0

    def any(self, pids: Iterable[int]) -> bool:
        """Tell whether any of these processes computes and has opened no GPU."""
        now = time.monotonic_ns()
        used = {pid: _used(pid) for pid in pids}
        least = _WORKS * (now - self._at)
        grown = {pid for pid, one in used.items() if one - self._used.get(pid, one) > least}
        self._used, self._at = used, now
        return any((pid in grown or _runs(pid)) and not _has_gpu(pid) for pid in used)


def _used(pid: int) -> int:
    """Return the nanoseconds of a processor that the main thread has had; 0 if nobody counts."""
    with contextlib.suppress(OSError, ValueError, IndexError):
        return int(Path(f"/proc/{pid}/schedstat").read_bytes().split()[0])
    return 0


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
