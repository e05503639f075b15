"""Lines put together again that a terminal, a chat, a mail, or a box of Rich has broken.

What broke them left no sign, but for its width: a line is full, or the first word of the next had
no room in it. Boxes and tables have a width of their own, in each column. Some terminals fill up
the row with blanks in place of a break.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fixbook.log.traceback import FRAME

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

# Columns of what breaks lines; and the usual widths of terminals, which break in a word.
NARROWEST, WIDEST = 50, 136
USUAL = (80, 100, 120, 132)
# Lines that one line was broken into, at most.
MOST_JOINED = 12
# Columns of a box or a table below which nothing is put together.
LEAST_COLUMN = 16
QUOTED = re.compile(r"(?:[ ]{0,3}>[ ]?){1,6}", re.ASCII)
BOXED = re.compile("[ ]{0,40}[\u2502\u2503]([^\n]{1,600}?)[\u2502\u2503][ ]{0,400}$", re.ASCII)
CELLS = re.compile("[\u2502\u2503]")
# Rich's handler of logging: the time, the level, the message in a column, and where it was logged.
LOGGED = re.compile(
    r"(?P<lead>(?:\[[\d/:. -]{6,24}\])?[ ]{1,24}(?:DEBUG|INFO|WARNING|ERROR|CRITICAL)[ ]{1,6})"
    r"(?P<text>\S[^\n]{0,400}?)[ ]{1,300}(?P<path>[\w.<>-]{1,80}\.py:\d{1,6})[ ]{0,20}$",
    re.ASCII,
)


# A row of a terminal that was copied with its blanks, and the next row behind it.
FILLED = re.compile(r"[ ]{40,400}", re.ASCII)


@dataclass(frozen=True, slots=True)
class Line:
    """A line, or a part of one.

    Attributes:
        number: That of the line in the log.
        text: What stands in it.
        width: Characters that it has room for; 0 if it is known to end where it ends.
        cell: True in a column, which is broken between words wherever it can be.
    """

    number: int
    text: str
    width: int
    cell: bool = False


def pieces_of(lines: Sequence[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    """Yield each line joined with what probably belongs to it, under its own number.

    Args:
        lines: Numbers and texts of the lines, without colours.
    """
    yield from _joined(_as_broken(lines))
    for column in (*_columns(lines), *_logged(lines)):
        yield from _joined(column)
    yield from _filled(lines)


def _as_broken(lines: Sequence[tuple[int, str]]) -> list[Line]:
    """Lines of the log without the signs of a quotation; of width 0 where nothing is broken."""
    bare = [_unquoted(text) for _, text in lines]
    width = _width(bare)
    found: list[Line] = []
    own = width  # of a log that is wide, the width of each paragraph
    for at, (number, text) in enumerate(lines):
        if width > WIDEST and (at == 0 or not bare[at - 1].strip()):
            end = next((to for to in range(at, len(bare)) if not bare[to].strip()), len(bare))
            own = _width(bare[at:end])
        room = own if NARROWEST <= own <= WIDEST else 0
        found.append(Line(number, bare[at], len(bare[at]) if len(text) in USUAL else room))
    return found


def _unquoted(text: str) -> str:
    """Take the signs of a quotation off the beginning of a line; elsewhere ``>`` is a sign."""
    sign = QUOTED.match(text)
    return text[sign.end() :] if sign else text


def _width(texts: Sequence[str]) -> int:
    return max((len(text.rstrip(" ")) for text in texts if " " in text.strip(" ")), default=0)


def _columns(lines: Sequence[tuple[int, str]]) -> Iterator[list[Line]]:
    """Yield the columns of boxes and tables: rows that follow each other, with as many cells."""
    rows: list[tuple[int, list[str]]] = []
    for number, text in (*lines, (0, "")):
        boxed = BOXED.match(text)
        cells = CELLS.split(boxed[1]) if boxed else []
        if rows and len(cells) != len(rows[0][1]):
            for column in range(len(rows[0][1])):
                yield [_cell(at, of[column]) for at, of in rows]
            rows = []
        if cells:
            rows.append((number, cells))


def _cell(number: int, cell: str) -> Line:
    room = len(cell) - 2  # a blank on either side
    return Line(number, cell.strip(" "), room if room >= LEAST_COLUMN else 0, cell=True)


def _logged(lines: Sequence[tuple[int, str]]) -> Iterator[list[Line]]:
    """Yield the messages that Rich's handler of logging set in a column."""
    for at, (number, text) in enumerate(lines):
        found = LOGGED.match(text)
        if not found:
            continue
        start, room = len(found["lead"]), found.start("path") - 1 - len(found["lead"])
        column = [Line(number, found["text"], room, cell=True)]
        for below, following in lines[at + 1 : at + MOST_JOINED]:
            if following[:start].strip(" ") or not following[start : start + 1].strip(" "):
                break
            column.append(Line(below, following[start:].rstrip(" "), room, cell=True))
        if room >= LEAST_COLUMN:
            yield column


def _filled(lines: Sequence[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    """Yield each line that holds rows of a terminal, joined in both ways."""
    for number, text in lines:
        rows = FILLED.split(text.strip(" "))
        if len(rows) > 1:
            yield number, "".join(rows)
            yield number, " ".join(rows)


def _joined(lines: Sequence[Line]) -> Iterator[tuple[int, str]]:
    following = [line.text for line in lines[1:]] + [""]
    full = [_is_full(line, rest) for line, rest in zip(lines, following, strict=True)]
    start = 0
    while start < len(lines):
        end = start
        while full[end] and end < start + MOST_JOINED:
            end += 1
        # Backwards, so that a match is found first in the line that it begins in.
        for at in range(end, start - 1, -1):
            for text in _both_ways(lines, full, at):
                yield lines[at].number, text
        start = end + 1


def _both_ways(lines: Sequence[Line], full: Sequence[bool], start: int) -> list[str]:
    """Join a line with those that go on, as a terminal breaks lines, and as a chat does."""
    hard = soft = lines[start].text
    for at in range(start, start + MOST_JOINED):
        if not full[at]:
            break
        line, rest = lines[at], lines[at + 1].text
        whole = len(line.text) >= line.width and not (line.cell and " " in line.text)
        hard = hard + rest if whole else _with_one_blank(hard, rest)
        soft = _with_one_blank(soft, rest)
    return [hard] if soft == hard else [hard, soft]


def _with_one_blank(text: str, rest: str) -> str:
    """Join what was broken between words; some leave the blank before the break, some indent."""
    return f"{text.rstrip(' ')} {rest.lstrip(' ')}"


def _is_full(line: Line, following: str) -> bool:
    """Tell whether the next line goes on: this one is full, or its first word had no room."""
    word = following.lstrip(" ").split(" ", 1)[0]
    size = len(line.text.rstrip(" "))
    if not (word and size and line.width):
        return False
    if FRAME.match(line.text) and not (len(line.text) in USUAL and following[0] != " "):
        return False  # below a frame its source line stands, indented, however wide the frame is
    return size + 1 + len(word) > line.width
