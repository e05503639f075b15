"""What was seen of a run's end that its own output does not say, as plain data and as a log."""

from __future__ import annotations

import contextlib
import os
import signal
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from fixbook.machine import host

if TYPE_CHECKING:
    from pathlib import Path

    from fixbook.watch.run import Run
    from fixbook.watch.tree import Process, Tree

SEEN = "seen.log"  # read by `fixbook diagnose` beside what was printed
_MIB = 1024 * 1024
_LEAST_FREE_MIB = 16  # of shared memory; what is full has less


@dataclass(frozen=True, slots=True)
class Ending:
    """How a run ended.

    Attributes:
        status: That of the command, as `os.wait4` says it.
        processes: Those that ended with something else than 0.
        living: Those that go on.
        killed_here: How many the kernel killed for memory in the run's own control groups.
        killed_on_machine: On all of the machine; they can be a neighbour's.
        peak_mib: Most memory of all its processes together, as far as it was looked at.
        shared_free_mib: What is left of /dev/shm; None without one.
        disk_free_mib: What is left where it ran.
    """

    status: int
    processes: tuple[Process, ...]
    living: tuple[Process, ...]
    killed_here: int | None
    killed_on_machine: int | None
    peak_mib: int
    shared_free_mib: int | None
    disk_free_mib: int | None

    def plain(self) -> dict[str, Any]:
        """Return it as plain data."""
        return {
            "processes": [one.plain() for one in self.processes],
            "living": [one.plain() for one in self.living],
            "oom_kills": {"here": self.killed_here, "machine": self.killed_on_machine},
            "peak_mib": self.peak_mib,
            "shm_free_mib": self.shared_free_mib,
            "disk_free_mib": self.disk_free_mib,
        }

    @property
    def for_memory(self) -> bool:
        """Whether the kernel killed a process of the run for memory, as far as it can be known.

        A counter of the run's own group decides. That of the machine decides only beside a
        process of the run that ended by SIGKILL.
        """
        if not any(_signal(one.status) == signal.SIGKILL for one in self.processes):
            return False
        return bool(self.killed_here or (self.killed_here is None and self.killed_on_machine))


def ending_of(run: Run, tree: Tree) -> Ending:
    """Say how a run ended, now that it has."""
    living = {one.pid for one in tree.look(run.waiter.reaped)}
    tree.ends(run.waiter.reaped, living)
    ended = [one for one in tree.seen.values() if one.gone and one.status]
    here, machine = tree.groups.killed()
    by_us = max((one.peak_kib * 1024 for one in run.waiter.reaped.values()), default=0)
    disk: dict[str, Any] = {}
    with contextlib.suppress(OSError):
        disk = host.disk("cwd")
    return Ending(
        run.status or 0,
        tuple(ended),
        tuple(one for one in tree.seen.values() if not one.gone),
        *(here, machine),
        max(tree.peak, by_us) // _MIB,
        host.shared_memory()["shm.free_mib"],
        disk.get("disks.cwd.free_mib"),
    )


def how(status: int | None) -> str:
    """Say a status as launchers print it: a code, or a signal."""
    number = _signal(status)
    if number:
        with contextlib.suppress(ValueError):
            return f"Signal {number} ({signal.Signals(number).name})"
        return f"Signal {number}"
    return f"exit code {os.waitstatus_to_exitcode(status or 0)}"


def _signal(status: int | None) -> int:
    return os.WTERMSIG(status) if status is not None and os.WIFSIGNALED(status) else 0


def as_log(ending: Ending) -> list[str]:
    """Return what was seen as lines that signatures of entries know; one form, in English.

    They say what was measured. What does not hold is not said.
    """
    lines = [
        f"fixbook watch: process {one.pid}{_rank(one)} ({one.name}) ended with {how(one.status)}"
        for one in ending.processes
    ]
    if ending.for_memory:
        count = ending.killed_here or ending.killed_on_machine
        whose = "of its control group" if ending.killed_here else "of the machine"
        lines += [
            f"fixbook watch: Out of memory: Killed process {one.pid} ({one.name}), as it ended by "
            f"SIGKILL and oom_kill {whose} grew by {count}"
            for one in ending.processes
            if _signal(one.status) == signal.SIGKILL
        ]
    full = ending.shared_free_mib is not None and ending.shared_free_mib < _LEAST_FREE_MIB
    if full and any(_signal(one.status) == signal.SIGBUS for one in ending.processes):
        lines.append(f"fixbook watch: /dev/shm has {ending.shared_free_mib} MiB left")
    return lines


def _rank(one: Process) -> str:
    return "" if one.rank is None else f" (rank {one.rank})"


def write_seen(folder: Path | None, lines: list[str]) -> None:
    """Keep those lines beside what the run printed."""
    if folder is not None and lines:
        with contextlib.suppress(OSError):
            (folder / SEEN).write_text("\n".join(lines) + "\n", "utf-8")
