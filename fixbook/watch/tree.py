"""The processes of a run: who they are, what they use, and how each of them ended."""

from __future__ import annotations

import contextlib
import fcntl
import os
import resource
import select
import struct
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import psutil

from fixbook.watch.counters import Groups
from fixbook.watch.ranks import Ranked, given_in, launchers

if TYPE_CHECKING:
    from fixbook.watch.ranks import Given
    from fixbook.watch.wait import Reaped

_MOST_PROCESSES, _MOST_HANDLES = 4096, 200
_MOST_WORDS = 200
# Asks the kernel for the end of a process that somebody else has waited for; from Linux 6.15 on.
_INFO = struct.Struct("QQ12i")
_WANTS_END = 1 << 3
_GET_INFO = (3 << 30) | (_INFO.size << 16) | (0xFF << 8) | 11
_STATUS_AT = 13


@dataclass(slots=True)
class Process:
    """One process of a run.

    Attributes:
        pid: Its number.
        parent: That of its parent, when it was first seen.
        words: How it was started, shortened.
        rank: Its rank, as launchers set it; None if it has none.
        name: What the kernel calls it.
        peak: Most bytes that were resident, as far as it was seen.
        status: How it ended, as `os.wait4` says it; None if it lives, or nobody could say.
        gone: Whether it has ended.
        files: Most files that it had open, as far as it was seen.
        files_limit: How many it may have.
        handle: By which the kernel tells its end, as long as it lives.
        given: The rank that its environment gives; that of a node's launcher is no rank.
    """

    pid: int
    parent: int
    words: str
    rank: int | None
    name: str = ""
    peak: int = 0
    status: int | None = None
    gone: bool = False
    files: int = 0
    files_limit: int = 0
    handle: int | None = None
    given: Given | None = None

    def plain(self) -> dict[str, Any]:
        """Return it as plain data."""
        names = ["pid", "parent", "name", "words", "rank", "peak", "status", "gone"]
        names += ["files", "files_limit"]
        return {name: getattr(self, name) for name in names}


@dataclass(slots=True)
class Tree:
    """All processes below this one, but for those that are ours.

    Attributes:
        ours: Processes that are not of the run.
        seen: Those of the run, in the order in which they were found.
        peak: Most bytes that they had resident together.
        now: How many they had at the last look.
        groups: The control groups that they were in.
    """

    ours: set[int]
    seen: dict[int, Process] = field(default_factory=dict)
    peak: int = 0
    now: int = 0
    groups: Groups = field(default_factory=Groups)
    _handles: int = 0

    def look(self, reaped: dict[int, Reaped]) -> list[psutil.Process]:
        """Look at them now; return those that live."""
        with contextlib.suppress(psutil.Error):
            listed = psutil.Process().children(recursive=True)
            living = [one for one in listed if one.pid not in self.ours]
            self.now = sum(self._note(one) for one in living)
            self._rank()
            self.peak = max(self.peak, self.now)
            self.ends(reaped, {one.pid for one in living})
            return living
        return []

    def ends(self, reaped: dict[int, Reaped], living: set[int]) -> None:
        """Take note of those that have ended.

        Args:
            reaped: Those that we were told the end of.
            living: Those that were there just now.
        """
        for pid, one in self.seen.items():
            if pid in reaped:
                one.status, one.gone = reaped[pid].status, True
            elif one.status is None and one.handle is not None:
                one.status = _end_of(one.handle)
            one.gone = one.gone or one.status is not None or pid not in living
            if one.gone and one.handle is not None:
                os.close(one.handle)
                one.handle = None
                self._handles -= 1

    def _note(self, process: psutil.Process) -> int:
        """Take note of one; return the bytes that are resident."""
        one = self.seen.get(process.pid)
        if one is None or one.gone:
            if len(self.seen) >= _MOST_PROCESSES:
                return 0
            one = self.seen[process.pid] = self._met(process)
        self.groups.joined(process.pid)
        with contextlib.suppress(psutil.Error):
            resident: int = process.memory_info().rss
            one.peak = max(one.peak, resident)
            words = _words(process)
            one.name = process.name()
            one.files, one.files_limit = _files(one)
            one.words = words or one.words  # it may have become another program
            one.given = _given(process.pid) or one.given  # it may have begun as a copy
            return resident
        return 0

    def only_rank(self, own: Given | None) -> int | None:
        """Return the rank of all that the run prints, where a launcher gave it to its watcher, too.

        Args:
            own: What our own environment gives; of a node, the tasks have other ranks.
        """
        if own is None or (own.size or 0) <= 1:
            return None
        others = {one.rank for one in self.seen.values()} - {None, own.rank}
        return None if others else own.rank

    def _rank(self) -> None:
        """Tell ranks from launchers, now that those are known that stand below."""
        seen = {pid: Ranked(one.parent, one.words, one.given) for pid, one in self.seen.items()}
        none = launchers(seen)
        for pid, one in self.seen.items():
            if one.given is not None:
                one.rank = None if pid in none else one.given.rank

    def _met(self, process: psutil.Process) -> Process:
        one = Process(process.pid, 0, "", None, given=_given(process.pid))
        with contextlib.suppress(psutil.Error):
            one.parent, one.words = process.ppid(), _words(process)
        if self._handles < _MOST_HANDLES:
            with contextlib.suppress(OSError):
                one.handle = os.pidfd_open(process.pid)
                self._handles += 1
        return one


def _words(process: psutil.Process) -> str:
    with contextlib.suppress(psutil.Error):
        return " ".join(" ".join(process.cmdline()).split())[:_MOST_WORDS] or process.name()
    return ""


def _files(one: Process) -> tuple[int, int]:
    """Return the most files that a process had open, and how many it may have."""
    with contextlib.suppress(OSError, ValueError):
        limit = resource.prlimit(one.pid, resource.RLIMIT_NOFILE)[0]
        return max(one.files, len(os.listdir(f"/proc/{one.pid}/fd"))), limit  # noqa: PTH208
    return one.files, one.files_limit


def _given(pid: int) -> Given | None:
    """Return the rank that a launcher has given to a process, or to one above it."""
    with contextlib.suppress(OSError):
        return given_in(Path(f"/proc/{pid}/environ").read_bytes())
    return None


def _end_of(handle: int) -> int | None:
    """Return how a process ended that its parent has waited for; None if the kernel cannot say."""
    poll = select.poll()
    poll.register(handle, select.POLLIN)
    if not poll.poll(0):
        return None
    asked = bytearray(_INFO.pack(_WANTS_END, 0, *[0] * 12))
    try:
        fcntl.ioctl(handle, _GET_INFO, asked)
    except OSError:
        return None
    told = _INFO.unpack(asked)
    return told[_STATUS_AT] if told[0] & _WANTS_END else None
