"""Processes of a run that compute: a compiler, one that tokenises, a rank in a long call.

A processor that is used tells nothing where a GPU is: who waits for one may ask it in a circle.
"""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

_MOST_THREADS = 256
_GPUS = ("/dev/nvidia", "/dev/kfd", "/dev/dri/render", "/dev/davinci")
_RUNS = b"R"  # it has a processor, or would have one if the machine were less busy


def computes(pids: Iterable[int]) -> bool:
    """Tell whether any thread of these processes computes at this moment."""
    return any(_runs(pid) for pid in pids)


def computes_itself(pids: Iterable[int]) -> bool:
    """Tell whether any of these processes computes and has opened no GPU."""
    return any(_runs(pid) and not _has_gpu(pid) for pid in pids)


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
