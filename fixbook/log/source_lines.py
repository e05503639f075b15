"""Source lines of tracebacks: what stands on one is code, and the exception below says more.

A frame deep in a traceback prints the line that called the next one, which says nothing of the
failure. The line that raised says something only where the exception has no words of its own
(`KeyError: 'type'`); the exception is then what the reader is shown.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING

from fixbook.log.errors import ERROR
from fixbook.log.normalise import LogLine, clean_line, parts_of
from fixbook.log.traceback import FRAME, MARKS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from fixbook.log.places import Place

# What the exception says is in the exception: here it is a template, or was not raised at all.
RAISES = re.compile(r"\s*raise\b", re.ASCII)
# Bytes on either side of a line, and lines of them, in which its neighbours of the rank are found.
ROOM, MOST_LINES = 4096, 24


@dataclass(frozen=True, slots=True)
class SourceLine:
    """A source line of a traceback.

    Attributes:
        error: The exception that was raised there, or the line itself where the log breaks off
            below it; None for a frame that only called another, and for a line that raises.
        place: Where that stands.
    """

    error: LogLine | None
    place: Place


def source_line_of(line: LogLine, place: Place, rank: int | None) -> SourceLine | None:
    """Tell whether a line is code that a traceback prints, and what was raised there.

    Args:
        line: The line, cleaned, with its rank.
        place: Where it stands.
        rank: The rank of lines that name none.

    Returns:
        None for a line that is no source line.
    """
    if FRAME.match(line.text) or ERROR.match(line.text):
        return None
    before = place.chunk[max(0, place.start - ROOM) : place.start].split(b"\n")[:-1]
    above = _next_of_rank(reversed(before), line.rank, rank)
    if above is None or not FRAME.match(above[1]) or _indent(line.text) <= _indent(above[1]):
        return None
    after = place.chunk[place.end + 1 : place.end + 1 + ROOM].split(b"\n")
    below = _next_of_rank(after, line.rank, rank)
    if below is None:
        return SourceLine(line, place)
    if RAISES.match(line.text) or not ERROR.match(below[1]):
        return SourceLine(None, place)
    at, text = below
    start = place.end + 1 + sum(len(one) + 1 for one in after[:at])
    number = place.number + at + 1
    stands = replace(place, number=number, start=start, end=start + len(after[at]))
    return SourceLine(LogLine(number, text, line.rank), stands)


def _indent(text: str) -> int:
    return len(text) - len(text.lstrip(" \t"))


def _next_of_rank(
    lines: Iterable[bytes], wanted: int | None, default: int | None
) -> tuple[int, str] | None:
    """Return the first line of a rank that holds more than marks below a source line."""
    for at, raw in enumerate(islice(lines, MOST_LINES)):
        for part in parts_of(raw.decode("utf-8", errors="replace")):
            text, named = clean_line(part)
            rank = default if named is None else named
            if rank == wanted and not MARKS.match(text):
                return at, text
    return None
