"""Run `fixbook triage` and see what it takes, of all its processes together."""

from __future__ import annotations

import subprocess
import sys
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

import psutil

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

PATTERN = r"(?P<job>train-(?P<number>\d+))-(?P<node>node\d+)\.r(?P<rank>\d+)\.out"
_EVERY_S = 0.2  # looking costs, too


@dataclass(frozen=True, slots=True)
class Took:
    """What a run took.

    Attributes:
        seconds: Wall-clock time.
        cpu: CPU seconds of all its processes, those that Ray starts too.
        peak: The largest resident size of all processes together, what they share counted in each.
    """

    seconds: float
    cpu: float
    peak: int


def run(names: Sequence[Path], out: Path, *options: str) -> Took:
    """Run the command on logs of `bench.triage_corpus`.

    Args:
        names: What to read.
        out: The folder of the answer.
        *options: Further ones.
    """
    command = [sys.executable, "-m", "fixbook", "triage", *map(str, names), "--out", str(out)]
    command += ["--job-pattern", PATTERN, "--lang", "en", *options]
    took = watched(command)
    if took is None:
        sys.exit(f"triage failed: {' '.join(command)}")
    return took


def watched(
    command: Sequence[str], limit_s: float = 1e9, codes: Sequence[int] = (0,)
) -> Took | None:
    """Run a command; None if it fails, or takes too long.

    Args:
        command: The command.
        limit_s: Seconds after which it is ended.
        codes: How it may end.
    """
    began = time.perf_counter()
    process = psutil.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    used: dict[int, float] = {}
    peak = 0
    while process.poll() is None and time.perf_counter() - began < limit_s:
        size = 0
        for one in _all_of(process):
            try:
                times = one.cpu_times()
                used[one.pid] = times.user + times.system
                size += one.memory_info().rss
            except psutil.Error:  # it ended meanwhile
                continue
        peak = max(peak, size)
        time.sleep(_EVERY_S)
    seconds = time.perf_counter() - began
    if process.poll() is None:
        process.kill()
        process.wait()
        return None
    return Took(seconds, sum(used.values()), peak) if process.returncode in codes else None


def _all_of(process: psutil.Popen) -> list[psutil.Process]:
    try:
        return [process, *process.children(recursive=True)]
    except psutil.Error:
        return []
