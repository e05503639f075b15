"""Run a command with limits, and leave nothing of it behind.

A step may hang, abort, fork, fill the disk or print without end. Its processes carry a mark in
their environment, which forks and daemons inherit, so that all of them are found and ended.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import time
import uuid
from collections import deque
from dataclasses import dataclass
from pathlib import Path
from threading import Event, Thread
from typing import IO, TYPE_CHECKING, Literal

import psutil

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

MARK = "FIXBOOK_RUN"
MIB = 1024**2
GIB = 1024**3
_POLL_S = 0.05
# Looking at all processes or at the disk costs more than asking whether one process has ended.
_USAGE_POLL_S = 0.25
_DISK_POLL_S = 0.5
_HEAD = 256 * 1024
_TAIL_CHUNKS = 16
_CHUNK = 64 * 1024

Stopped = Literal["timeout", "memory", "output", "disk", "processes", "interrupted"]


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
    """

    exit_code: int | None
    signal: str | None
    stopped: Stopped | None
    seconds: float
    peak_mib: float
    log: str

    @property
    def failed(self) -> bool:
        """True unless the process ended by itself with exit code 0."""
        return self.exit_code != 0 or self.stopped is not None

    def __str__(self) -> str:
        """Say how it ended, in a few words."""
        if self.stopped:
            return f"ended for its {self.stopped} limit"
        return f"killed by {self.signal}" if self.signal else f"exit code {self.exit_code}"


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


def run(
    command: Sequence[str],
    *,
    env: Mapping[str, str],
    cwd: Path,
    limits: Limits,
    stop: Event | None = None,
) -> Outcome:
    """Run a command to its end or to one of its limits.

    Args:
        command: Program and arguments.
        env: Its whole environment.
        cwd: Its working directory, which is also watched for the disk limit.
        limits: What it may use.
        stop: Ends the run when set, for example after Ctrl-C.

    Returns:
        How it ended. No process of it is left.
    """
    mark = uuid.uuid4().hex
    started = time.monotonic()
    process = subprocess.Popen(
        command,
        env={**env, MARK: mark},
        cwd=cwd,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    )
    assert process.stdout is not None  # noqa: S101  (stdout=PIPE)
    try:
        _no_huge_files(process.pid, limits)
        output = _Output(process.stdout)
        stopped, peak = _watch(process, output, cwd, limits, stop or Event())
        seconds = time.monotonic() - started
    finally:
        end_marked(mark)
        process.wait()
    text = output.text()
    process.stdout.close()
    code = process.returncode
    name = signal.Signals(-code).name if code < 0 and not stopped else None
    exit_code = None if code < 0 else code
    return Outcome(exit_code, name, stopped, round(seconds, 2), round(peak / MIB, 1), text)


def _watch(  # noqa: PLR0911  (one return a limit)
    process: subprocess.Popen[bytes], output: _Output, cwd: Path, limits: Limits, stop: Event
) -> tuple[Stopped | None, float]:
    """Wait for the end or for a limit; return the limit and the peak memory in bytes."""
    deadline = time.monotonic() + limits.timeout_s
    next_usage_check = next_disk_check = peak = 0.0
    while process.poll() is None:
        now = time.monotonic()
        if stop.is_set():
            return "interrupted", peak
        if now > deadline:
            return "timeout", peak
        if now > next_usage_check:
            next_usage_check = now + _USAGE_POLL_S
            memory, count = _usage(process.pid)
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
        stop.wait(_POLL_S)
    return None, peak


def _usage(pid: int) -> tuple[float, int]:
    """Resident bytes and number of the processes of a tree."""
    try:
        root = psutil.Process(pid)
        tree = [root, *root.children(recursive=True)]
    except psutil.Error:
        return 0.0, 0
    total = 0.0
    for process in tree:
        with contextlib.suppress(psutil.Error):
            total += process.memory_info().rss
    return total, len(tree)


def disk_use(folder: Path) -> int:
    """Bytes on disk below a folder; what vanishes while it is looked at does not count."""
    total = 0
    for root, _, names in os.walk(folder):
        for name in names:
            with contextlib.suppress(OSError):
                total += Path(root, name).lstat().st_blocks * 512
    return total


def _no_huge_files(pid: int, limits: Limits) -> None:
    """Stop one file from filling the disk between two looks, and do without core dumps."""
    if not hasattr(psutil, "RLIMIT_FSIZE"):
        return
    size = int(limits.disk_gib * GIB)
    with contextlib.suppress(psutil.Error, OSError):
        process = psutil.Process(pid)
        process.rlimit(psutil.RLIMIT_FSIZE, (size, size))
        process.rlimit(psutil.RLIMIT_CORE, (0, 0))


def end_marked(mark: str) -> None:
    """Kill every process that carries a mark, until none is left."""
    for _ in range(50):
        left = [process for process in psutil.process_iter() if _carries(process, mark)]
        if not left:
            return
        for process in left:  # stopped first, so that none forks while others are killed
            with contextlib.suppress(psutil.Error):
                process.suspend()
        for process in left:
            with contextlib.suppress(psutil.Error):
                process.kill()
        psutil.wait_procs(left, timeout=0.5)


def _carries(process: psutil.Process, mark: str) -> bool:
    try:
        if process.status() == psutil.STATUS_ZOMBIE:
            return False
        return process.environ().get(MARK) == mark
    except (psutil.Error, OSError):
        return False
