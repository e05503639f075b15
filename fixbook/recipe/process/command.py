"""Run a command with limits, and leave nothing of it behind.

A step may hang, abort, fork, fill the disk or print without end. Its processes carry a mark in
their environment, which forks and daemons inherit, so that all of them are found and ended.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import time
import uuid
from typing import TYPE_CHECKING

import psutil

from fixbook.recipe.process.outcome import GIB, Limits, Outcome, Start
from fixbook.recipe.process.watch import tree, watch

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path
    from threading import Event

MARK = "FIXBOOK_RUN"


class _Fresh:
    """A command that was started as a program of its own."""

    start: Start = "cold"

    def __init__(
        self, command: Sequence[str], env: Mapping[str, str], cwd: Path, limits: Limits
    ) -> None:
        self._mark = uuid.uuid4().hex
        self._cpu_seconds = 0.0
        self._process = subprocess.Popen(
            command,
            env={**env, MARK: self._mark},
            cwd=cwd,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        assert self._process.stdout is not None  # noqa: S101  (stdout=PIPE)
        self.output = self._process.stdout
        _no_huge_files(self._process.pid, limits)

    def ended(self) -> bool:
        return self._reap(block=False)

    def processes(self) -> Sequence[psutil.Process]:
        return tree(self._process.pid)

    def end(self) -> tuple[int, float]:
        end_marked(self._mark)
        self._reap(block=True)
        return self._process.returncode, self._cpu_seconds

    def _reap(self, *, block: bool) -> bool:
        """Take the exit status together with what the process has used of the processor."""
        process = self._process
        if process.returncode is not None:
            return True
        if sys.platform == "win32":
            if block:
                process.wait()
            return process.poll() is not None
        pid, status, usage = os.wait4(process.pid, 0 if block else os.WNOHANG)
        if pid:
            process.returncode = os.waitstatus_to_exitcode(status)
            self._cpu_seconds = usage.ru_utime + usage.ru_stime
        return bool(pid)


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
    return watch(_Fresh(command, env, cwd, limits), cwd, limits, stop)


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
    for attempt in range(50):
        left = [process for process in psutil.process_iter() if _carries(process, mark)]
        if not left:
            return
        end_all(left)
        # psutil.wait_procs would take the exit status of our own child, and its usage with it.
        time.sleep(min(0.5, 0.01 * 2**attempt))


def end_all(processes: Sequence[psutil.Process]) -> None:
    """Kill processes; all are stopped first, so that none forks while others are killed."""
    for process in processes:
        with contextlib.suppress(psutil.Error):
            process.suspend()
    for process in processes:
        with contextlib.suppress(psutil.Error):
            process.kill()


def _carries(process: psutil.Process, mark: str) -> bool:
    try:
        if process.status() == psutil.STATUS_ZOMBIE:
            return False
        return process.environ().get(MARK) == mark
    except (psutil.Error, OSError):
        return False
