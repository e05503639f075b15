"""Watch a running step until it ends or reaches one of its limits."""

from __future__ import annotations

import contextlib
import os
import time
from collections import deque
from pathlib import Path
from threading import Event, Thread
from typing import IO, TYPE_CHECKING, Protocol

import psutil

from fixbook.recipe.process.outcome import GIB, MIB, Limits, Outcome, Start, Stopped, exit_of

if TYPE_CHECKING:
    from collections.abc import Sequence

_POLL_S = 0.05
# A step that was forked may end in a tenth of a second; asking often costs most while it is long.
_FIRST_POLL_S = 0.005
# Looking at all processes or at the disk costs more than asking whether one process has ended.
_USAGE_POLL_S = 0.25
_DISK_POLL_S = 0.5
_HEAD = 256 * 1024
_TAIL_CHUNKS = 16
_CHUNK = 64 * 1024


class RunningStep(Protocol):
    """A step's processes, however they were started."""

    start: Start
    output: IO[bytes]

    def ended(self) -> bool:
        """Tell whether the step's first process has ended."""

    def processes(self) -> Sequence[psutil.Process]:
        """Return its processes, those of its children included."""

    def end(self) -> tuple[int, float]:
        """Kill whatever is left of it; return the code as in ``Popen`` and CPU seconds."""


class _Output:
    """Keeps the beginning and the end of an endless output."""

    def __init__(self, stream: IO[bytes]) -> None:
        self.total = 0
        self._head = bytearray()
        self._tail: deque[bytes] = deque(maxlen=_TAIL_CHUNKS)
        self._dropped = 0
        self._thread = Thread(target=self._pump, args=(stream,), daemon=True)
        self._thread.start()

    def _pump(self, stream: IO[bytes]) -> None:
        with contextlib.suppress(ValueError, OSError):
            while chunk := stream.read1(_CHUNK):  # type: ignore[attr-defined]
                self._keep(chunk)

    def _keep(self, chunk: bytes) -> None:
        self.total += len(chunk)
        if len(self._head) < _HEAD:
            self._head += chunk
            return
        if len(self._tail) == _TAIL_CHUNKS:
            self._dropped += len(self._tail[0])
        self._tail.append(chunk)

    def text(self) -> str:
        self._thread.join(timeout=3)
        middle = (
            f"\n[... {self._dropped:,} bytes left out ...]\n".encode() if self._dropped else b""
        )
        return b"".join((bytes(self._head), middle, *self._tail)).decode("utf-8", errors="replace")


def watch(running: RunningStep, cwd: Path, limits: Limits, stop: Event | None = None) -> Outcome:
    """Watch a step to its end or to one of its limits; nothing of it is left afterwards.

    Args:
        running: The step.
        cwd: Its working directory, which is watched for the disk limit.
        limits: What it may use.
        stop: Ends it when set, for example after Ctrl-C.

    Returns:
        How it ended.
    """
    started = time.monotonic()
    output = _Output(running.output)
    stopped, peak = None, 0.0
    try:
        stopped, peak = _wait(running, output, cwd, limits, stop or Event())
        seconds = time.monotonic() - started
    finally:
        try:
            code, cpu_seconds = running.end()
        finally:
            text = output.text()
            running.output.close()
    exit_code, signal_name = exit_of(code, stopped)
    return Outcome(
        exit_code,
        signal_name,
        stopped,
        round(seconds, 2),
        round(peak / MIB, 1),
        text,
        running.start,
        round(cpu_seconds, 2),
    )


def _wait(  # noqa: PLR0911  (one return a limit)
    running: RunningStep, output: _Output, cwd: Path, limits: Limits, stop: Event
) -> tuple[Stopped | None, float]:
    """Wait for the end or for a limit; return the limit and the peak memory in bytes."""
    deadline = time.monotonic() + limits.timeout_s
    next_usage_check = next_disk_check = peak = 0.0
    pause = _FIRST_POLL_S
    while not running.ended():
        now = time.monotonic()
        if stop.is_set():
            return "interrupted", peak
        if now > deadline:
            return "timeout", peak
        if now > next_usage_check:
            next_usage_check = now + _USAGE_POLL_S
            memory, count = _usage(running.processes())
            peak = max(peak, memory)
            if memory > limits.memory_gib * GIB:
                return "memory", peak
            if count > limits.processes:
                return "processes", peak
        if output.total > limits.output_mib * MIB:
            return "output", peak
        if now > next_disk_check:
            next_disk_check = now + _DISK_POLL_S
            if disk_use(cwd) > limits.disk_gib * GIB:
                return "disk", peak
        stop.wait(pause)
        pause = min(_POLL_S, pause * 1.5)
    return None, peak


def _usage(processes: Sequence[psutil.Process]) -> tuple[float, int]:
    """Resident bytes and number of processes."""
    total = 0.0
    for process in processes:
        with contextlib.suppress(psutil.Error):
            total += process.memory_info().rss
    return total, len(processes)


def tree(pid: int) -> list[psutil.Process]:
    """Return a process and all below it; empty if it has ended."""
    try:
        root = psutil.Process(pid)
        return [root, *root.children(recursive=True)]
    except psutil.Error:
        return []


def disk_use(folder: Path) -> int:
    """Bytes on disk below a folder; what vanishes while it is looked at does not count."""
    total = 0
    for root, _, names in os.walk(folder):
        for name in names:
            with contextlib.suppress(OSError):
                total += Path(root, name).lstat().st_blocks * 512
    return total
