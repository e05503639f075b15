"""Processes of a run that compute while its ranks wait for them: a compiler, one that tokenises."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

_MOST_THREADS = 256
_RUNS = b"R"  # it has a processor, or would have one if the machine were less busy


def computes(pids: Iterable[int]) -> bool:
    """Tell whether any thread of these processes computes at this moment."""
    return any(_runs(pid) for pid in pids)


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
