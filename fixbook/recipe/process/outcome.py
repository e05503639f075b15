"""What one step may use, and how it ended."""

from __future__ import annotations

import signal
from dataclasses import dataclass
from typing import Literal

from fixbook.text import Sentence, say

MIB = 1024**2
GIB = 1024**3

Stopped = Literal["timeout", "memory", "output", "disk", "processes", "interrupted"]
Start = Literal["warm", "cold"]


@dataclass(frozen=True, slots=True)
class Limits:
    """What one step may use.

    Attributes:
        timeout_s: Wall-clock seconds.
        memory_gib: Resident memory of all its processes together, in GiB.
        output_mib: What it may print, in MiB.
        disk_gib: What it may write to its scratch folder, in GiB.
        processes: How many processes it may have at a time.
    """

    timeout_s: float
    memory_gib: float
    output_mib: float = 64
    disk_gib: float = 2
    processes: int = 400


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a process ended.

    Attributes:
        exit_code: Its exit code; None if a signal ended it.
        signal: Name of the signal that ended it, such as ``SIGSEGV``.
        stopped: The limit for which it was ended, if one was reached.
        seconds: Wall-clock seconds.
        peak_mib: Highest resident memory of the process tree seen by sampling, in MiB.
        log: What it printed; the middle of a very long output is left out.
        start: ``warm`` if it was forked from a process that had imported the libraries,
            ``cold`` if it began as a fresh interpreter.
        cpu_seconds: User and system time of its processes, in seconds. Cold, what it left
            running is not in it; warm, all of it is.
    """

    exit_code: int | None
    signal: str | None
    stopped: Stopped | None
    seconds: float
    peak_mib: float
    log: str
    start: Start = "cold"
    cpu_seconds: float = 0.0

    @property
    def failed(self) -> bool:
        """True unless the process ended by itself with exit code 0."""
        return self.exit_code != 0 or self.stopped is not None

    def said(self) -> Sentence:
        """Say how it ended, in a few words."""
        if self.stopped:
            return say("ended for its {limit} limit", limit=self.stopped)
        if self.signal:
            return say("killed by {signal}", signal=self.signal)
        return say("exit code {code}", code=self.exit_code)


def exit_of(code: int, stopped: Stopped | None) -> tuple[int | None, str | None]:
    """Split a return code into exit code and name of the signal.

    Args:
        code: As ``Popen.returncode``: negative if a signal ended the process.
        stopped: The limit for which it was ended: then the signal was ours and is not named.
    """
    if code >= 0:
        return code, None
    return None, None if stopped else _signal_name(-code)


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:  # a real-time signal
        return f"signal {number}"
