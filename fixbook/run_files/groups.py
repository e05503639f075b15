"""Which rank is elsewhere than the others: stacks grouped by where their main thread is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_LEAST_FOR_A_MAJORITY = 3


@dataclass(frozen=True, slots=True)
class Frame:
    """Where a thread is: file, line and function."""

    file: str
    line: int
    function: str

    def __str__(self) -> str:
        return f"{self.function} ({self.file}:{self.line})"


Stack = tuple[Frame, ...]  # of the main thread, the innermost frame first


@dataclass(frozen=True, slots=True)
class Group:
    """Processes whose main thread is at the same place.

    Attributes:
        place: The innermost frame.
        members: The ranks, or processes where there are no ranks.
        caller: The innermost frame outside of libraries; None if all are inside.
        stack: All frames of the first of them, the innermost first.
    """

    place: Frame
    members: tuple[int, ...]
    caller: Frame | None
    stack: Stack = ()


@dataclass(frozen=True, slots=True)
class Hang:
    """What the stacks of a run that stands still show.

    Attributes:
        groups: The largest first.
        odd: The ranks that are elsewhere than the majority; empty where stacks cannot decide.
        why: Why they cannot: ``two``, ``same`` or ``spread``; empty where they do.
        ranked: Whether members are ranks.
        workers: Of the odd ranks' own children, where each is.
    """

    groups: tuple[Group, ...]
    odd: tuple[int, ...]
    why: str
    ranked: bool
    workers: tuple[tuple[int, Frame], ...] = ()


def grouped(stacks: Mapping[int, Stack]) -> tuple[Group, ...]:
    """Group stacks by function, file and line of the innermost frame."""
    by_place: dict[Frame, list[int]] = {}
    for member, stack in sorted(stacks.items()):
        if stack:
            by_place.setdefault(stack[0], []).append(member)
    groups = [
        Group(place, tuple(members), _caller(stacks[members[0]]), stacks[members[0]])
        for place, members in by_place.items()
    ]
    return tuple(sorted(groups, key=lambda group: (-len(group.members), group.members)))


def hang_of(stacks: Mapping[int, Stack], *, ranked: bool) -> Hang:
    """Say which rank is the odd one out, or why stacks cannot say it.

    Args:
        stacks: Of each rank, or of each process.
        ranked: Whether they are ranks.
    """
    groups = grouped(stacks)
    count = sum(len(group.members) for group in groups)
    if len(groups) == 1 and count > 1:
        return Hang(groups, (), "same", ranked)
    if count < _LEAST_FOR_A_MAJORITY:
        return Hang(groups, (), "two" if count > 1 else "", ranked)
    if len(groups[0].members) * 2 <= count:
        return Hang(groups, (), "spread", ranked)
    odd = tuple(member for group in groups[1:] for member in group.members)
    return Hang(groups, odd, "", ranked)


def _caller(stack: Sequence[Frame]) -> Frame | None:
    inside = ("site-packages", "dist-packages", "/lib/python", "<")
    return next((one for one in stack if not any(part in one.file for part in inside)), None)
