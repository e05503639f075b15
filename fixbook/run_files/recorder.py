"""Dumps of torch's flight recorder: which rank is missing, or where ranks ask for other things.

torch's own analyser unpickles what it is given and cannot read the dumps of gloo. Here a dump is
data, and two numbers decide: the collective that a rank enqueued last, and the first one at which
name or size differ.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from fixbook.run_files.json_files import json_of
from fixbook.run_files.pickles import MOST_BYTES, NoDataError, data_of
from fixbook.text import _

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

NAME = re.compile(
    r"(?:trace|flight|recorder|nccl|dump|fr)[^/]*?[_-]?(\d{1,6})(?:\.(json|pkl|pickle|bin))?$",
    re.ASCII | re.IGNORECASE,
)
MOST_DUMPS = 4096
_MOST_ENTRIES = 100_000
_MOST_TEXT = 300
_TORCH = re.compile(r"[\\/]torch[\\/](?:distributed|_|nn|autograd|utils)|c10d")
_RANKS = re.compile(r"\d{1,6}")
# Whose sizes are the same on all ranks; those of an all-to-all or a gather need not be.
_SAME_SIZES = re.compile(r"all_?reduce|broadcast|_?all_?gather|reduce_?scatter", re.IGNORECASE)
_DONE = "completed"
Key = tuple[str, tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class Call:
    """One collective on one rank.

    Attributes:
        name: What it is, such as ``nccl:all_reduce``.
        sizes: Sizes of what goes in, as a text.
        done: Whether it has ended.
        frame: The caller's line, below torch's own; empty where the dump has no frames.
    """

    name: str
    sizes: str
    done: bool
    frame: str


@dataclass(frozen=True, slots=True)
class Group:
    """One process group on one rank.

    Attributes:
        ranks: Its ranks, as far as the dump says.
        enqueued: Number of the collective that was enqueued last.
        calls: The collectives that the dump still holds, by number.
    """

    ranks: frozenset[int]
    enqueued: int
    calls: dict[int, Call]


@dataclass(frozen=True, slots=True)
class Dump:
    """What one rank recorded: its groups by name.

    Attributes:
        path: The file.
        rank: The rank, as the name of the file has it.
        groups: Its process groups, by name and ranks: groups of other ranks may share a name.
    """

    path: Path
    rank: int
    groups: dict[Key, Group]


def dumps_in(files: Iterable[Path], notes: list[str]) -> list[Dump]:
    """Return the dumps among files, one a rank; the pickled one has the frames.

    Args:
        files: The files of a run.
        notes: Receives a line for what is named like a dump and cannot be read.
    """
    found: dict[int, Dump] = {}
    for path in files:
        name = NAME.search(path.name)
        if name is None or len(found) >= MOST_DUMPS:
            continue
        rank, is_json = int(name[1]), name[2] == "json"
        if is_json and rank in found:
            continue
        said = json_of(path, notes) if is_json else _pickled(path, notes)
        if isinstance(said, dict) and {"entries", "pg_config"} <= said.keys():
            try:
                found[rank] = Dump(path, rank, _groups(said))
            except (KeyError, TypeError, ValueError, AttributeError, IndexError):
                notes.append(_("{name}: it is no dump of the flight recorder").format(name=path))
    return [found[rank] for rank in sorted(found)]


def _pickled(path: Path, notes: list[str]) -> Any:
    reason = ""
    try:
        with path.open("rb") as opened:
            pickled = opened.read(MOST_BYTES + 1)
        if pickled[:1] == b"\x80":
            return data_of(pickled)
    except OSError as error:
        reason = error.strerror or str(error)
    except NoDataError as error:
        reason = str(error)
    if reason:
        notes.append(_("{name}: not read: {reason}").format(name=path, reason=reason))
    return None


def _groups(said: dict[str, Any]) -> dict[Key, Group]:
    calls: dict[str, dict[int, Call]] = {}
    for entry in said["entries"][-_MOST_ENTRIES:]:
        if not entry.get("is_p2p"):
            name = str(entry["process_group"][0])[:_MOST_TEXT]
            calls.setdefault(name, {})[int(entry["collective_seq_id"])] = _call(entry)
    configured = {str(name): one for name, one in said["pg_config"].items()}
    status = {str(name): one for name, one in (said.get("pg_status") or {}).items()}
    found = {}
    for name, held in calls.items():
        # gloo's dumps name their only group "" here, and "0" in the entries.
        config = configured.get(name) or (configured.get("") if len(calls) == 1 else None) or {}
        ranks = frozenset(map(int, _RANKS.findall(str(config.get("ranks", ""))[:1_000_000])))
        last = int(status.get(name, {}).get("last_enqueued_collective", -1))
        found[name, tuple(sorted(ranks))] = Group(ranks, max(last, *held), held)
    return found


def _call(entry: dict[str, Any]) -> Call:
    name = str(entry["profiling_name"])[:_MOST_TEXT]
    frames = entry.get("frames") or []
    own = [one for one in frames[:200] if not _TORCH.search(str(one["filename"]))]
    line = f"{own[0]['filename']}:{own[0]['line']} ({own[0]['name']})" if own else ""
    sizes = str(entry.get("input_sizes"))[:_MOST_TEXT] if _SAME_SIZES.search(name) else ""
    done = entry.get("state") == _DONE or entry.get("retired") is True
    return Call(name, sizes, done, line[:_MOST_TEXT])


@dataclass(frozen=True, slots=True)
class Gap:
    """Where the ranks of a group part.

    Attributes:
        number: The collective.
        missing: The ranks that never enqueued it; empty where all did.
        odd: The ranks that asked for another one than most; empty where that is undecided.
        asked: What each rank asked for there.
        before: The last call of each missing rank.
    """

    number: int
    missing: tuple[int, ...]
    odd: tuple[int, ...]
    asked: dict[int, Call]
    before: dict[int, Call]


def gap_in(dumps: list[Dump]) -> Gap | None:
    """Return the earliest collective at which the ranks part; None where they do not.

    Args:
        dumps: Those of a run.
    """
    keys = sorted({key for dump in dumps for key in dump.groups})
    found = (gap for key in keys if (gap := _gap(dumps, key)))
    return min(found, key=lambda gap: gap.number, default=None)


def absent(dumps: list[Dump]) -> tuple[int, ...]:
    """Return the ranks of the groups that left no dump."""
    every = {rank for dump in dumps for group in dump.groups.values() for rank in group.ranks}
    return tuple(sorted(every - {dump.rank for dump in dumps}))


def _gap(dumps: list[Dump], key: Key) -> Gap | None:
    groups = {dump.rank: dump.groups[key] for dump in dumps if key in dump.groups}
    if len(groups) < 2:  # noqa: PLR2004  (one rank cannot differ)
        return None
    first = max(min(group.calls) for group in groups.values())
    lowest = min(group.enqueued for group in groups.values())
    for number in range(first, lowest + 1):
        asked = {
            rank: group.calls[number] for rank, group in groups.items() if number in group.calls
        }
        if len({(call.name, call.sizes) for call in asked.values()}) > 1:
            return Gap(number, (), _odd(asked), asked, {})
    number = lowest + 1
    asked = {rank: group.calls[number] for rank, group in groups.items() if number in group.calls}
    if not asked or all(call.done for call in asked.values()):
        return None  # what has ended on one rank was not waited for: the dump was just earlier
    missing = tuple(sorted(rank for rank, group in groups.items() if group.enqueued < number))
    before = {rank: groups[rank].calls[lowest] for rank in missing if lowest in groups[rank].calls}
    return Gap(number, missing, (), asked, before)


def _odd(asked: dict[int, Call]) -> tuple[int, ...]:
    counted = Counter((call.name, call.sizes) for call in asked.values())
    (most, count), *others = counted.most_common()
    if others[0][1] == count:
        return ()  # as many ask for one as for another
    return tuple(rank for rank, call in sorted(asked.items()) if (call.name, call.sizes) != most)
