"""All that the files of one run show: its rows, its checkpoints, its dumps."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from fixbook.run_files.checkpoints import series_in
from fixbook.run_files.csv_files import csv_rows
from fixbook.run_files.events import NoEventFileError, event_rows, newest
from fixbook.run_files.json_files import holds_rows, line_rows, state_rows, watched_memory
from fixbook.run_files.memory import judge_memory
from fixbook.run_files.ranks import judge_dumps
from fixbook.run_files.recorder import dumps_in
from fixbook.run_files.rules import judge
from fixbook.run_files.stood import WATCHED, Stood, judge_stood, stood_in
from fixbook.run_files.walk import files_of
from fixbook.run_files.weights import judge_weights
from fixbook.text import _

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from pathlib import Path

    from fixbook.run_files.finding import Finding
    from fixbook.run_files.recorder import Dump
    from fixbook.run_files.rows import Row

_STATE = "trainer_state.json"
_LINES = {".jsonl", ".ndjson"}
# What nobody outside the process can tell: entries whose check does, in it.
INSIDE = ("adapter-without-gradients-trains-on", "ddp-gradients-differ-silently", "nan-loss-fp16")


@dataclass(frozen=True, slots=True)
class Run:
    """What the files of a run show.

    Attributes:
        findings: What was found, what decides first.
        read: How many files of each kind there were.
        dumps: The files that are dumps, and no logs.
        inside: Entries whose check has to run in the training, to tell what no file does.
    """

    findings: tuple[Finding, ...]
    read: dict[str, int]
    dumps: frozenset[Path] = frozenset()
    inside: tuple[str, ...] = ()


def run_in(root: Path, notes: list[str], watch: Callable[[int], None]) -> Run | None:
    """Read the files of a run; None where a folder holds none that are known.

    Args:
        root: Its folder.
        notes: Receives what cannot be read.
        watch: Called with the number of bytes read of weights.
    """
    return runs_in([root], notes, watch)


def runs_in(folders: Iterable[Path], notes: list[str], watch: Callable[[int], None]) -> Run | None:
    """Read several folders as those of one run, such as one of each node; see `run_in`.

    Args:
        folders: They.
        notes: Receives what cannot be read.
        watch: Called with the number of bytes read of weights.
    """
    parts = [part for folder in folders if (part := _part_in(folder, notes, watch)) is not None]
    if not parts:
        return None
    stood = judge_stood([one for part in parts for one in part.stood])
    each = [found for part in parts for found in part.findings]
    findings = _once([*_of_dumps(parts), *stood, *each])
    read = {name: sum(part.read[name] for part in parts) for name in parts[0].read}
    dumps = frozenset(dump.path for part in parts for dump in part.dumps)
    decided = any(found.owners for found in findings)
    inside = () if decided or not any(part.trained for part in parts) else INSIDE
    return Run(tuple(findings), read, dumps, inside)


@dataclass(frozen=True, slots=True)
class _Part:
    """What one folder shows by itself; dumps and stacks are compared with those of other nodes."""

    findings: tuple[Finding, ...]
    read: dict[str, int]
    dumps: tuple[Dump, ...]
    stood: tuple[Stood, ...]
    trained: bool


def _part_in(root: Path, notes: list[str], watch: Callable[[int], None]) -> _Part | None:
    files = files_of(root, notes)
    dumps = dumps_in(files, notes)
    tables = list(_tables(files, notes))
    series = series_in(root, files)
    grown = [found for path in files for found in _memory(path)]
    stood = stood_in(files)
    if not (dumps or tables or series or grown or stood):
        return None
    adapter = {one[-1].adapter for one in series}
    rows = [_fitting(found, adapter) for one in tables for found in judge(*one.rows)]
    weights = [found for one in series for found in judge_weights(one, notes, watch)]
    read = {
        "dumps": len(dumps),
        "rows": len({one.path for one in tables}),
        "checkpoints": sum(map(len, series)),
    }
    found, trained = (*rows, *weights, *grown), bool(tables or series)
    return _Part(found, read, tuple(dumps), tuple(stood), trained)


def _of_dumps(parts: Sequence[_Part]) -> list[Finding]:
    """Judge the dumps of all folders together; where two have one rank, they are of two runs."""
    together = [dump for part in parts for dump in part.dumps]
    if len({dump.rank for dump in together}) == len(together):
        return judge_dumps(sorted(together, key=lambda dump: dump.rank))
    return [found for part in parts for found in judge_dumps(list(part.dumps))]


def _memory(path: Path) -> list[Finding]:
    if path.name != WATCHED:
        return []
    samples, limit = watched_memory(path)
    return judge_memory(samples, limit, str(path))


@dataclass(frozen=True, slots=True)
class _Table:
    path: Path
    rows: tuple[Iterable[Row], str]


def _tables(files: Sequence[Path], notes: list[str]) -> Iterator[_Table]:
    """Yield what holds rows, the most exact first."""
    for path in _states(files):
        rows: Sequence[Row] = state_rows(path, notes)
        if rows:
            yield _Table(path, (rows, str(path)))
    for path in newest([path for path in files if "tfevents" in path.name]):
        yield from _kept(path, _events(path, notes))
    for path in files:
        if path.suffix in _LINES and holds_rows(path):
            yield from _kept(path, line_rows(path))
        elif path.suffix == ".csv":
            yield from _kept(path, csv_rows(path))


def _kept(path: Path, rows: Iterator[Row]) -> Iterator[_Table]:
    """Yield a table if it has a first row; the rest is read as it is judged."""
    try:
        first = next(rows, None)
    except OSError:
        return
    if first is not None:
        yield _Table(path, (_from(first, rows), str(path)))


def _from(first: Row, rest: Iterator[Row]) -> Iterator[Row]:
    yield first
    yield from rest


def _events(path: Path, notes: list[str]) -> Iterator[Row]:
    try:
        yield from event_rows(path)
    except NoEventFileError:
        reason = _("it is no event file")
        notes.append(_("{name}: not read: {reason}").format(name=path, reason=reason))


def _states(files: Sequence[Path]) -> list[Path]:
    """The states of runs; a checkpoint's only where its run has not left one beside it."""
    states = [path for path in files if path.name == _STATE]
    homes = {path.parent for path in states}
    inner: dict[Path, list[Path]] = {}
    for path in states:
        if path.parent.parent not in homes:
            inner.setdefault(path.parent.parent, []).append(path)
    last = [max(found, key=lambda one: one.stat().st_mtime_ns) for found in inner.values()]
    return sorted(last)


def _fitting(found: Finding, adapter: set[bool]) -> Finding:
    """Take an adapter's entry from a run that is not known to train one."""
    if found.rule == "gradient-zero" and adapter != {True}:
        return replace(found, owners=())
    return found


def _once(findings: Iterable[Finding]) -> list[Finding]:
    """Keep the first of each rule; what names an entry comes before what names none."""
    first: dict[str, Finding] = {}
    for found in findings:
        first.setdefault(found.rule, found)
    return sorted(first.values(), key=lambda found: not found.owners)
