"""A second look at a log in which no entry was recognised: lines joined, capitals ignored.

A terminal or a chat breaks lines at its width, and a message that is broken is not found. Here
the end of the log is read once more with the lines put together again, and with no difference
between capital and small letters. It is small, so this costs little whatever the log.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from fixbook.log.context import Context, lines_before
from fixbook.log.disguise import plain
from fixbook.log.normalise import parts_of
from fixbook.log.scan import Hit, Scan, scanner_for

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from fixbook.log.scan import Scanner
    from fixbook.log.signatures import Index

# Bytes read again, of all logs together.
ROOM = 1024 * 1024
# Columns of what breaks lines.
NARROWEST, WIDEST = 50, 136
# Lines that one line was broken into, at most.
MOST_JOINED = 12


def second_scans(scans: Sequence[Scan], index: Index) -> list[Scan]:
    """Scan the ends of the logs of a run again.

    Args:
        scans: The first scans, with their tails.
        index: The index they were scanned with.
    """
    scanner = scanner_for(index, folded=True)
    room = ROOM // max(1, len(scans))
    return [_again(scan, scanner, room) for scan in scans]


def _again(scan: Scan, scanner: Scanner, room: int) -> Scan:
    tail, before = scan.tail, scan.before
    if len(tail) > room:
        cut = tail.find(b"\n", len(tail) - room) + 1
        before += tail.count(b"\n", 0, cut)
        tail = tail[cut:]
    starts = [0, *(at.end() for at in re.finditer(b"\n", tail))]

    def context(number: int) -> Context:
        return Context(lines_before(b"", tail, starts[number - before - 1]), scan.rank)

    pieces = [*_pieces(tail.decode("utf-8", errors="replace"), before)]
    data = "".join(text + "\n" for _, text in pieces).encode()
    found = scanner.scan([data], scan.source, scan.rank)
    hits = (_placed(hit, pieces, context) for hit in found.hits)
    found.hits = [hit for hit in hits if hit.line.number not in scan.quoted]
    known = {hit.line.number for hit in found.hits} | scan.quoted
    errors = [_placed(error, pieces, context) for error in found.errors]
    found.errors = []
    for error in errors:  # of the two ways to join a line, what one finds speaks for both
        if error.line.number not in known:
            found.errors.append(error)
        known.add(error.line.number)
    found.lines, found.before, found.quoted = scan.lines, scan.before, scan.quoted
    found.head, found.tail = scan.head, scan.tail
    return found


def _placed(hit: Hit, pieces: list[tuple[int, str]], context: Callable[[int], Context]) -> Hit:
    """Give a hit the line it begins in, and the lines before it as they stand in the log."""
    number = pieces[hit.line.number - 1][0]
    before = context(number) if hit.context.before or hit.matcher < 0 else hit.context
    return replace(hit, line=replace(hit.line, number=number), context=before)


def _pieces(tail: str, before: int) -> Iterator[tuple[int, str]]:
    """Yield each line joined with what probably belongs to it, under its own number."""
    lines = [
        (number, plain(part))
        for number, raw in enumerate(tail.split("\n"), before + 1)
        for part in parts_of(raw)
    ]
    texts = [text for _, text in lines]
    width = max((len(text.rstrip(" ")) for text in texts if " " in text.strip(" ")), default=0)
    broken = NARROWEST <= width <= WIDEST
    full = [broken and _is_full(*pair, width) for pair in zip(texts, [*texts[1:], ""], strict=True)]
    start = 0
    while start < len(lines):
        end = start
        while full[end] and end < start + MOST_JOINED:
            end += 1
        # Backwards, so that a match is found first in the line that it begins in.
        for at in range(end, start - 1, -1):
            for text in _joined(texts, full, width, at):
                yield lines[at][0], text
        start = end + 1


def _joined(texts: list[str], full: list[bool], width: int, start: int) -> list[str]:
    """Join a line with those that go on, as a terminal breaks lines, and as a chat does."""
    hard = soft = texts[start]
    for at in range(start, start + MOST_JOINED):
        if not full[at]:
            break
        rest = texts[at + 1]
        hard = hard + rest if len(texts[at]) >= width else _with_one_blank(hard, rest)
        soft = _with_one_blank(soft, rest)
    return [hard] if soft == hard else [hard, soft]


def _with_one_blank(text: str, rest: str) -> str:
    """Join what was broken between words; some leave the blank before the break, some indent."""
    return f"{text.rstrip(' ')} {rest.lstrip(' ')}"


def _is_full(text: str, following: str, width: int) -> bool:
    """Tell whether the next line goes on: this one is full, or its first word had no room."""
    word = following.lstrip(" ").split(" ", 1)[0]
    size = len(text.rstrip(" "))
    return bool(word) and size > 0 and (size >= width - 1 or size + 1 + len(word) > width)
