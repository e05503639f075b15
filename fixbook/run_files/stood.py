"""Where the ranks of a run stood still, put together from what each of its watchers has seen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from fixbook.run_files.finding import Finding
from fixbook.run_files.groups import Frame, hang_of
from fixbook.run_files.json_files import json_of
from fixbook.run_files.ranks import PAGES
from fixbook.text import N_, say

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from fixbook.run_files.groups import Group, Stack

WATCHED = "watch.json"
_TIMEOUT = PAGES[0]
_MOST_RANKS, _MOST_GROUPS = 100_000, 4
_COLLECTIVES = "torch/distributed/"
_FIELDS = 3  # file, line, function


@dataclass(frozen=True, slots=True)
class Stood:
    """Where the ranks of one watcher stood, at the last.

    Attributes:
        path: Its record.
        stacks: Of each rank: the innermost frame, and the innermost outside of libraries.
    """

    path: Path
    stacks: dict[int, Stack]


def stood_in(files: Sequence[Path]) -> list[Stood]:
    """Return what the watchers of a run have seen, whose ranks stood still to the end."""
    found = (Stood(path, _stacks(json_of(path, []))) for path in files if path.name == WATCHED)
    return [one for one in found if one.stacks]


def judge_stood(seen: Sequence[Stood]) -> list[Finding]:
    """Say which rank stands elsewhere than the others; nothing where two watchers had one rank."""
    stacks = {rank: stack for one in seen for rank, stack in one.stacks.items()}
    if len(stacks) < 2 or len(stacks) < sum(len(one.stacks) for one in seen):  # noqa: PLR2004
        return []
    hang = hang_of(stacks, ranked=True)
    if not hang.odd:
        listed = "; ".join(map(_at, hang.groups[:_MOST_GROUPS]))
        says = say(
            N_("all ranks stood still, and stacks cannot decide which is wrong: {places}"),
            places=listed,
        )
        return [Finding("ranks-stood", says, (), str(seen[0].path))]
    rank, source = hang.odd[0], next(one.path for one in seen if hang.odd[0] in one.stacks)
    own = next(one for one in hang.groups if rank in one.members)
    says = say(
        N_("all ranks stood still; elsewhere than the others: {odd}; the others: {others}"),
        odd=_at(own),
        others=_at(hang.groups[0]),
    )
    waits = _COLLECTIVES in hang.groups[0].place.file  # for the one that is elsewhere
    owners = (_TIMEOUT,) if waits else ()
    return [Finding("rank-elsewhere", says, owners, str(source), None, None, rank)]


def _at(group: Group) -> str:
    ranks = ", ".join(map(str, group.members[:16]))
    caller = group.caller if group.caller and group.caller != group.place else None
    return f"rank {ranks}: {group.place}" + (f" ← {caller}" if caller else "")


def _stacks(seen: Any) -> dict[int, Stack]:
    stood = seen.get("stood") if isinstance(seen, dict) else None
    if not isinstance(stood, dict) or not isinstance(stood.get("ranks"), dict):
        return {}
    if not stood.get("ended") and stood.get("printed") != seen.get("printed"):
        return {}  # it went on
    try:
        return {
            int(rank): tuple(Frame(str(one[0]), int(one[1]), str(one[2])) for one in frames)
            for rank, frames in list(stood["ranks"].items())[:_MOST_RANKS]
            if frames and all(len(one) == _FIELDS for one in frames)
        }
    except (ValueError, TypeError):
        return {}
