"""When a run stands still: silent for long, nothing read or written, and every stack the same."""

from __future__ import annotations

import contextlib
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import psutil

from fixbook.run_files.groups import Hang, hang_of
from fixbook.watch.computing import Works, computes

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

    from fixbook.run_files.finding import Finding
    from fixbook.run_files.groups import Stack
    from fixbook.watch.hooked import Hook
    from fixbook.watch.shared import Tally
    from fixbook.watch.stacks import Reader
    from fixbook.watch.tree import Process, Tree

_MOST_PROCESSES = 128
_COMPUTING = 4.0  # times as patient: one long call into a library looks like a hang
_GROWS = 1024 * 1024  # bytes, from one look to the next


@dataclass(frozen=True, slots=True)
class Patience:
    """How long a run may be silent.

    Attributes:
        seconds: At least so long; 0 for always.
        factor: And so many times its longest silence so far.
        equal: So many looks must show the same stacks.
    """

    seconds: float = 120.0
    factor: float = 20.0
    equal: int = 5

    def over(self, tally: Tally, since: float, times: float = 1.0, less: float = 0.0) -> float:
        """Return the seconds of silence if they are too many, less those that do not count."""
        silent = time.monotonic() - max(tally.last, since) - less
        limit = times * max(self.seconds, self.factor * tally.longest_gap)
        return silent if silent > limit else 0.0


@dataclass(frozen=True, slots=True)
class Stall:
    """A run that stands still.

    Attributes:
        silent: Seconds for which it has printed nothing.
        hang: What its stacks show; None if nothing here can read them.
        recorded: What the flight recorders of its ranks show.
        asked: Whether they could be asked.
        refused: What reads stacks is there, and may not.
    """

    silent: float
    hang: Hang | None
    recorded: tuple[Finding, ...] = ()
    asked: bool = False
    refused: bool = False


@dataclass(slots=True)
class Guard:
    """Looks at one run, again and again.

    Attributes:
        patience: How long it may be silent.
        tally: What it prints.
        tool: What reads its stacks; None for nothing.
        since: When it was started.
        hook: What can ask its ranks for their flight recorders, if it was started so.
        more: A number that changes where its ranks write into files of their own.
        refused: What would read its stacks is there, and may not.
    """

    patience: Patience
    tally: Tally
    tool: Reader | None
    since: float = field(default_factory=time.monotonic)
    hook: Hook | None = None
    more: Callable[[], int] = int
    refused: bool = False
    _moved: int = -1
    _memory: int = 0
    _works: Works = field(default_factory=Works)
    _beside: Works = field(default_factory=Works)  # of no rank, and of no stack
    _last: dict[int, Stack] = field(default_factory=dict)
    _equal: int = 0
    _told_at: int | None = None
    _written: int = 0

    def look(self, tree: Tree, living: Sequence[psutil.Process]) -> Stall | None:
        """Return a stall where one has become certain; once for each silence."""
        if (written := self.more()) != self._written:  # into the ranks' own files: it has spoken
            self._written, self.since = written, time.monotonic()
        silent = self.patience.over(self.tally, self.since) if self.patience.seconds else 0.0
        if not silent or self._told_at == self.tally.total:
            self._equal, self._works.waited = 0, 0.0
            return None
        moved = self._all_moved(living)
        grown = tree.now - self._memory >= _GROWS  # what is received and kept in memory
        self._memory = tree.now
        if moved != self._moved or grown:
            self._moved, self._equal = moved, 0
            return None
        members, ranked = _members(tree, living)
        busy = self._computing(members.values(), ranked=ranked)
        answers = self.hook.answers if self.hook else 0
        stacks = {} if busy else self._stacks(members)
        if self.hook and self.hook.answers != answers:
            self._moved = self._all_moved(living)  # what they answer is written by themselves
        # A rank that waits for a collective may compute in a circle; whoever else computes gets on.
        compared = members.values() if ranked else stacks
        others = {one.pid for one in living}.difference(compared)
        if busy or computes(others) or (not ranked and self._beside.any(others)):
            self._equal, self._last = 0, {}
            return None
        if self.tool is None:
            self._equal += 1
            return self._certain(silent, None)
        self._equal = self._equal + 1 if stacks == self._last else 1
        self._last = stacks
        if not stacks:
            return self._certain(silent, None)
        return self._certain(silent, hang_of(stacks, ranked=ranked), tree, living)

    def _computing(self, pids: Collection[int], *, ranked: bool) -> bool:
        """Tell whether one of them computes, and may do so for longer yet.

        Without ranks nobody waits for it: one that computes and sleeps by turns is at its work. And
        one that others keep from a processor has had no time to leave the place where it is.
        """
        computes = self._works.any(pids)
        if (self._works.by_turns or self._works.starved) and not ranked:
            return True
        waited = self._works.waited  # it is given a processor's time, not that of the clock
        return computes and not self.patience.over(self.tally, self.since, _COMPUTING, waited)

    def _stacks(self, members: Mapping[int, int]) -> dict[int, Stack]:
        if self.tool is None:
            return {}
        asked = ((member, self.tool.stack(pid)) for member, pid in members.items())
        return {member: stack for member, stack in asked if stack}

    def _all_moved(self, living: Iterable[psutil.Process]) -> int:
        return sum(map(_moved, living)) + self.more()

    def _certain(
        self,
        silent: float,
        hang: Hang | None,
        tree: Tree | None = None,
        living: Sequence[psutil.Process] = (),
    ) -> Stall | None:
        if self._equal < self.patience.equal:
            return None
        self._told_at = self.tally.total
        if hang and hang.odd and hang.ranked and tree and self.tool:
            hang = self._with_workers(hang, tree, living)
        if tree is None or self.hook is None:
            return Stall(silent, hang, refused=self.refused)
        pids = _members(tree, living)[0].values()
        return Stall(silent, hang, tuple(self.hook.dumps(pids)), asked=True)

    def _with_workers(self, hang: Hang, tree: Tree, living: Sequence[psutil.Process]) -> Hang:
        """Read the odd ranks' own children, too: one of them may be the cause."""
        ranks = set(_ranks(tree, living).values())
        pids = [
            one.pid
            for one in tree.seen.values()
            if not one.gone and one.rank in hang.odd and one.pid not in ranks
        ]
        stacks = {pid: self.tool.stack(pid) for pid in pids[:_MOST_PROCESSES]} if self.tool else {}
        workers = tuple((pid, stack[0]) for pid, stack in stacks.items() if stack)
        return Hang(hang.groups, hang.odd, hang.why, hang.ranked, workers)


def _moved(process: psutil.Process) -> int:
    with contextlib.suppress(psutil.Error, AttributeError):
        counters = process.io_counters()
        return int(counters.read_bytes + counters.write_bytes)
    return 0


def _members(tree: Tree, living: Sequence[psutil.Process]) -> tuple[dict[int, int], bool]:
    """Return the processes to look into by rank, or all of them where nobody set ranks."""
    ranks = _ranks(tree, living)
    if ranks:
        return dict(list(ranks.items())[:_MOST_PROCESSES]), True
    return {one.pid: one.pid for one in living[:_MOST_PROCESSES]}, False


def _ranks(tree: Tree, living: Sequence[psutil.Process]) -> dict[int, int]:
    """Return the process of each rank: of those with its number, the one nearest to the top."""
    found: dict[int, int] = {}
    here = {one.pid for one in living}
    for one in tree.seen.values():
        if one.pid not in here or one.rank is None:
            continue
        above: Process | None = tree.seen.get(one.parent)
        if above is None or above.rank != one.rank:
            found.setdefault(one.rank, one.pid)
    return found
