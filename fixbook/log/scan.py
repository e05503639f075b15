"""Scan one log for everything that diagnosis needs, in one pass and bounded memory."""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from fixbook.log.normalise import ESCAPES, LogLine, clean_line, windows
from fixbook.log.prefilter import prefilter_for

if TYPE_CHECKING:
    from collections.abc import Iterable

    from fixbook.log.signatures import Index

# First hits decide; a symptom that repeats for every rank and step is not worth more.
MOST_HITS = 512
MOST_ERRORS = 40
ERROR_LITERALS = ("Error: ", "Exception: ")
ERROR = re.compile(r"^(?:[A-Za-z_]\w*\.)*[A-Za-z_]\w*(?:Error|Exception): \S", re.ASCII)
TIME = re.compile(
    rb"(?P<date>\d{4}-\d\d-\d\d)[T ](?P<time>\d\d:\d\d:\d\d)(?:[.,](?P<fraction>\d{1,6}))?"
    rb"|[IWEF](?P<month>\d\d)(?P<day>\d\d) (?P<clock>\d\d:\d\d:\d\d)\.(?P<micro>\d{1,6})"
)
# Bytes before and after the beginning of a line in which its time is looked for.
LOOK_BACK, LOOK_AHEAD = 8 * 1024, 256
YEAR = 2000  # glog names no year


@dataclass(frozen=True, slots=True)
class Hit:
    """One line in which a pattern matched.

    Attributes:
        matcher: Position of the matcher in the index.
        line: The cleaned line.
        captures: Values of the pattern's named groups.
        moment: Seconds since an arbitrary origin, from the nearest timestamp before, or None.
        source: Name of the log.
    """

    matcher: int
    line: LogLine
    captures: dict[str, str]
    moment: float | None
    source: str


@dataclass(slots=True)
class Scan:
    """What one log holds.

    Attributes:
        source: Name of the log.
        hits: Matches of signatures and symptoms, in the order of the log.
        found: Patterns of ``context`` and ``unless`` that were found anywhere.
        errors: Lines with a Python exception that no pattern matched.
        lines: How many lines were read.
    """

    source: str
    hits: list[Hit] = field(default_factory=list)
    found: set[re.Pattern[str]] = field(default_factory=set)
    errors: list[Hit] = field(default_factory=list)
    lines: int = 0


class Scanner:
    """Scans logs with one index; it can be used for many logs."""

    def __init__(self, index: Index) -> None:
        self._matchers = index.matchers
        watched = {p for m in index.matchers for p in (*m.context, *m.unless)}
        self._jobs: list[int | re.Pattern[str]] = [*range(len(index.matchers)), *watched]
        by_literal: dict[str, list[int]] = {}
        for number, job in enumerate(self._jobs):
            literals = index.matchers[job].literals if isinstance(job, int) else index.literals[job]
            for literal in literals:
                by_literal.setdefault(literal, []).append(number)
        for literal in ERROR_LITERALS:
            by_literal.setdefault(literal, [])
        self._by_literal = list(by_literal.values())
        self._prefilter = prefilter_for(tuple(literal.encode() for literal in by_literal))

    def scan(self, chunks: Iterable[bytes], source: str, rank: int | None = None) -> Scan:
        """Scan a log.

        Args:
            chunks: Its bytes, in chunks that end at a line feed.
            source: Its name.
            rank: The rank its path names; used where a line names none.
        """
        result = Scan(source)
        counts: dict[tuple[int, int | None], int] = {}
        for raw in chunks:
            chunk = ESCAPES_BYTES.sub(b"", raw) if b"\x1b" in raw else raw
            position = number = 0
            for start, end, literals in _lines_with_hits(chunk, self._prefilter.find(chunk)):
                number += chunk.count(b"\n", position, start)
                position = start
                text = chunk[start:end].decode("utf-8", errors="replace")
                jobs = {job for literal in literals for job in self._by_literal[literal]}
                place = _Place(result.lines + number + 1, chunk, start, end, rank)
                self._look(text, sorted(jobs), place, result, counts)
            result.lines += number + chunk.count(b"\n", position)
        return result

    def _look(
        self,
        text: str,
        jobs: list[int],
        place: _Place,
        result: Scan,
        counts: dict[tuple[int, int | None], int],
    ) -> None:
        """Match one raw line, part by part, and keep what was found."""
        for part in text.rstrip("\r\n").split("\r"):
            message, rank = clean_line(part)
            rank = place.rank if rank is None else rank
            for window in windows(message):
                line = LogLine(place.number, window, rank)
                hits = self._match(line, jobs, place, result)
                for hit in hits:
                    seen = counts[hit.matcher, rank] = counts.get((hit.matcher, rank), 0) + 1
                    if seen == 1 and len(result.hits) < MOST_HITS:
                        result.hits.append(hit)
                if not hits and len(result.errors) < MOST_ERRORS and ERROR.match(window):
                    result.errors.append(Hit(-1, line, {}, place.moment, result.source))

    def _match(self, line: LogLine, jobs: list[int], place: _Place, result: Scan) -> list[Hit]:
        hits = []
        for number in jobs:
            job = self._jobs[number]
            pattern = self._matchers[job].pattern if isinstance(job, int) else job
            match = pattern.search(line.text)
            if match is None:
                continue
            if isinstance(job, int):
                captures = {name: value for name, value in match.groupdict().items() if value}
                hits.append(Hit(job, line, captures, place.moment, result.source))
            else:
                result.found.add(pattern)
        return hits


@dataclass(slots=True)
class _Place:
    """Where a candidate line stands; its time is looked for only if something matched."""

    number: int
    chunk: bytes
    start: int
    end: int
    rank: int | None

    @property
    def moment(self) -> float | None:
        return _moment(self.chunk, self.start, self.end)


ESCAPES_BYTES = re.compile(ESCAPES.pattern.encode())


def _lines_with_hits(
    chunk: bytes, hits: list[tuple[int, int]]
) -> Iterable[tuple[int, int, set[int]]]:
    """Group hits by line: start and end of the line, and the literals in it."""
    end, start, literals = -1, 0, set[int]()
    for offset, literal in hits:
        if offset > end:
            if end >= 0:
                yield start, end, literals
            start = chunk.rfind(b"\n", 0, offset) + 1
            found = chunk.find(b"\n", offset)
            end = found if found >= 0 else len(chunk)
            literals = set()
        literals.add(literal)
    if end >= 0:
        yield start, end, literals


def _moment(chunk: bytes, start: int, end: int) -> float | None:
    """Return the nearest timestamp at or before a line, as seconds."""
    times = [*TIME.finditer(chunk, max(0, start - LOOK_BACK), min(end, start + LOOK_AHEAD))]
    last = times[-1] if times else None
    if last is None:
        return None
    parts = {name: value.decode() for name, value in last.groupdict().items() if value}
    if "date" in parts:
        text, fraction = f"{parts['date']} {parts['time']}", parts.get("fraction", "0")
    else:
        text = f"{YEAR}-{parts['month']}-{parts['day']} {parts['clock']}"
        fraction = parts["micro"]
    try:
        moment = dt.datetime.strptime(text, "%Y-%m-%d %H:%M:%S").replace(tzinfo=dt.UTC)
    except ValueError:
        return None
    if "date" in parts:
        moment = moment.replace(year=YEAR)  # so that both forms compare
    return moment.timestamp() + float(f"0.{fraction}")
