"""Where in a chunk of bytes something stands: its line, the time of it, the rank it is about."""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fixbook.log.prefixes import RANK_IN_LINE, ROW, ROW_OF_RANK

if TYPE_CHECKING:
    from collections.abc import Iterable

TIME = re.compile(
    rb"(?P<date>\d{4}-\d\d-\d\d)[T ](?P<time>\d\d:\d\d:\d\d)(?:[.,](?P<fraction>\d{1,6}))?"
    rb"|[IWEF](?P<month>\d\d)(?P<day>\d\d) (?P<clock>\d\d:\d\d:\d\d)\.(?P<micro>\d{1,6})"
)
# Bytes before and after the beginning of a line in which its time is looked for.
LOOK_BACK, LOOK_AHEAD = 8 * 1024, 256
# Bytes before a row of the launcher's table in which its rank stands.
TABLE = 512
YEAR = 2000  # glog names no year


@dataclass(slots=True)
class Place:
    """Where a candidate line stands; its time is looked for only if something matched."""

    number: int
    chunk: bytes
    start: int
    end: int
    error: bool  # it holds what every error holds
    earlier: bytes  # the end of what was read before the chunk

    @property
    def moment(self) -> float | None:
        """The nearest timestamp at or before the line, as seconds."""
        return _moment(self.chunk, self.start, self.end)


def rank_about(message: str, place: Place) -> int | None:
    """Return the rank that a line of a launcher is about, or that stands above it in its table."""
    if "rank" in message or "Rank" in message:
        named = RANK_IN_LINE.search(message)
        if named:
            return next(int(rank) for rank in named.groups() if rank)
    if ROW.match(message):
        above = ROW_OF_RANK.findall(place.chunk[max(0, place.start - TABLE) : place.start])
        return int(above[-1]) if above else None
    return None


def lines_with_hits(
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
