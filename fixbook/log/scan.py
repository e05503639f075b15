"""Scan one log for everything that diagnosis needs, in one pass and bounded memory."""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from fixbook.log.disguise import ESCAPES, NO_BREAK, disguises_of
from fixbook.log.errors import ERROR, ERROR_LITERALS, FIRST_ERROR
from fixbook.log.normalise import LogLine, clean_line, parts_of, windows
from fixbook.log.prefilter import prefilter_for
from fixbook.log.prefixes import RANK_IN_LINE, ROW, ROW_OF_RANK

if TYPE_CHECKING:
    from collections.abc import Iterable

    from fixbook.log.signatures import Index

# First hits decide; a symptom that repeats for every rank and step is not worth more.
MOST_HITS = 512
MOST_ERRORS = 40
TIME = re.compile(
    rb"(?P<date>\d{4}-\d\d-\d\d)[T ](?P<time>\d\d:\d\d:\d\d)(?:[.,](?P<fraction>\d{1,6}))?"
    rb"|[IWEF](?P<month>\d\d)(?P<day>\d\d) (?P<clock>\d\d:\d\d:\d\d)\.(?P<micro>\d{1,6})"
)
# Bytes before and after the beginning of a line in which its time is looked for.
LOOK_BACK, LOOK_AHEAD = 8 * 1024, 256
# Bytes before a row of the launcher's table in which its rank stands.
TABLE = 512
# Bytes of the end of a log that are kept for a second try.
TAIL = 512 * 1024
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
        errors: Lines with an error that no pattern matched: an exception of Python, a crash, an
            error of a compiler or a shell. Each text once for a rank.
        lines: How many lines were read.
        rank: The rank its name tells, or None.
        tail: The end of the log, whole lines.
        before: How many lines stand before the tail.
        first: True once an error of a compiler or of pip is listed; what follows it is not.
        met: Matchers that were met, with the rank.
        said: Texts of errors that were met, with the rank.
    """

    source: str
    rank: int | None = None
    hits: list[Hit] = field(default_factory=list)
    found: set[re.Pattern[str]] = field(default_factory=set)
    errors: list[Hit] = field(default_factory=list)
    lines: int = 0
    tail: bytes = b""
    before: int = 0
    first: bool = False
    met: set[tuple[int, int | None]] = field(default_factory=set)
    said: set[tuple[str, int | None]] = field(default_factory=set)


class Scanner:
    """Scans logs with one index; it can be used for many logs.

    Args:
        index: What to look for.
        folded: True to take capital and small letters for the same.
    """

    def __init__(self, index: Index, *, folded: bool = False) -> None:
        watched = {p for m in index.matchers for p in (*m.context, *m.unless)}
        self._jobs: list[int | re.Pattern[str]] = [*range(len(index.matchers)), *watched]
        self._patterns = [*(matcher.pattern for matcher in index.matchers), *watched]
        self._folded = folded
        by_literal: dict[bytes, list[int]] = {}
        for number, job in enumerate(self._jobs):
            literals = index.matchers[job].literals if isinstance(job, int) else index.literals[job]
            for literal in literals:
                for form in disguises_of(literal):
                    by_literal.setdefault(self._bytes(form.encode()), []).append(number)
        for literal in ERROR_LITERALS:
            by_literal.setdefault(self._bytes(literal.encode()), [])
        self._by_literal = list(by_literal.values())
        self._prefilter = prefilter_for(tuple(by_literal))

    def _bytes(self, raw: bytes) -> bytes:
        return raw.lower() if self._folded else raw

    def _pattern(self, number: int) -> re.Pattern[str]:
        pattern = self._patterns[number]
        if not self._folded:
            return pattern
        return re.compile(pattern.pattern, re.ASCII | re.IGNORECASE)  # kept by the module `re`

    def scan(self, chunks: Iterable[bytes], source: str, rank: int | None = None) -> Scan:
        """Scan a log.

        Args:
            chunks: Its bytes, in chunks that end at a line feed.
            source: Its name.
            rank: The rank its path names; used where a line names none.
        """
        result = Scan(source, rank)
        raw = b"\n"
        for raw in chunks:
            chunk = ESCAPES_BYTES.sub(b"", raw) if b"\x1b" in raw else raw
            if b"\xc2" in chunk and NO_BREAK in chunk:
                chunk = chunk.replace(NO_BREAK, b" ")
            position = number = 0
            found = self._prefilter.find(self._bytes(chunk))
            for start, end, literals in _lines_with_hits(chunk, found):
                number += chunk.count(b"\n", position, start)
                position = start
                text = chunk[start:end].decode("utf-8", errors="replace")
                jobs = {job for literal in literals for job in self._by_literal[literal]}
                place = _Place(result.lines + number + 1, chunk, start, end)
                self._look(text, sorted(jobs), place, result)
            result.lines += number + chunk.count(b"\n", position)
            result.tail = chunk[-TAIL:] if len(chunk) >= TAIL else (result.tail + chunk)[-TAIL:]
        result.before = result.lines - result.tail.count(b"\n")
        result.lines += not raw.endswith(b"\n")
        return result

    def _look(self, text: str, jobs: list[int], place: _Place, result: Scan) -> None:
        """Match one raw line, part by part, and keep what was found."""
        for part in parts_of(text):
            message, rank = clean_line(part)
            rank = _rank_in(message, place) if rank is None else rank
            rank = result.rank if rank is None else rank
            for window in windows(message):
                line = LogLine(place.number, window, rank)
                hits = self._match(line, jobs, place, result)
                for hit in hits:
                    if (hit.matcher, rank) not in result.met and len(result.hits) < MOST_HITS:
                        result.hits.append(hit)
                    result.met.add((hit.matcher, rank))
                if not hits and _is_error(line, result):
                    result.errors.append(Hit(-1, line, {}, place.moment, result.source))

    def _match(self, line: LogLine, jobs: list[int], place: _Place, result: Scan) -> list[Hit]:
        hits = []
        for number in jobs:
            job = self._jobs[number]
            match = self._pattern(number).search(line.text)
            if match is None:
                continue
            if isinstance(job, int):
                captures = {name: value for name, value in match.groupdict().items() if value}
                hits.append(Hit(job, line, captures, place.moment, result.source))
            else:
                result.found.add(job)
        return hits


@dataclass(slots=True)
class _Place:
    """Where a candidate line stands; its time is looked for only if something matched."""

    number: int
    chunk: bytes
    start: int
    end: int

    @property
    def moment(self) -> float | None:
        return _moment(self.chunk, self.start, self.end)


def _is_error(line: LogLine, result: Scan) -> bool:
    """Tell whether a line is an error to be listed, once for a rank."""
    key = line.text, line.rank
    if len(result.errors) >= MOST_ERRORS or key in result.said:
        return False
    if not ERROR.match(line.text):
        if result.first or not FIRST_ERROR.match(line.text):
            return False
        result.first = True
    result.said.add(key)
    return True


def _rank_in(message: str, place: _Place) -> int | None:
    """Return the rank that a line of a launcher is about, or that stands above it in its table."""
    if "rank" in message or "Rank" in message:
        named = RANK_IN_LINE.search(message)
        if named:
            return next(int(rank) for rank in named.groups() if rank)
    if ROW.match(message):
        above = ROW_OF_RANK.findall(place.chunk[max(0, place.start - TABLE) : place.start])
        return int(above[-1]) if above else None
    return None


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
