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
from fixbook.log.normalise import LogLine, clean_line, parts_of
from fixbook.log.places import Place
from fixbook.log.scan import scanner_for
from fixbook.log.source_lines import source_line_of
from fixbook.log.unwrapped import pieces_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from fixbook.log.scan import Scanner
    from fixbook.log.scanned import Hit, Scan
    from fixbook.log.signatures import Index

# Bytes read again, of all logs together.
ROOM = 1024 * 1024


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

    lines = enumerate(tail.decode("utf-8", errors="replace").split("\n"), before + 1)
    pieces = [*pieces_of([(at, plain(part)) for at, raw in lines for part in parts_of(raw)])]
    data = "".join(text + "\n" for _, text in pieces).encode()
    found = scanner.scan([data], scan.source, scan.rank)

    def is_code(hit: Hit) -> bool:
        at = hit.line.number - before - 1
        end = starts[at + 1] - 1 if at + 1 < len(starts) else len(tail)
        text, rank = clean_line(tail[starts[at] : end].decode("utf-8", errors="replace"))
        rank = scan.rank if rank is None else rank
        place = Place(hit.line.number, tail, starts[at], end, error=False, earlier=b"")
        return source_line_of(LogLine(hit.line.number, text, rank), place, scan.rank) is not None

    hits = (_placed(hit, pieces, context) for hit in found.hits)
    known = scan.quoted
    found.hits = [hit for hit in hits if hit.line.number not in known and not is_code(hit)]
    known = {hit.line.number for hit in found.hits} | scan.quoted
    errors = [_placed(error, pieces, context) for error in found.errors]
    found.errors = []
    for error in errors:  # of the two ways to join a line, what one finds speaks for both
        if error.line.number not in known:
            found.errors.append(error)
        known.add(error.line.number)
    found.lines, found.before, found.quoted = scan.lines, scan.before, scan.quoted
    found.last = {job: pieces[at - 1][0] for job, at in found.last.items()}
    found.head, found.tail = scan.head, scan.tail
    return found


def _placed(hit: Hit, pieces: list[tuple[int, str]], context: Callable[[int], Context]) -> Hit:
    """Give a hit the line it begins in, and the lines before it as they stand in the log."""
    number = pieces[hit.line.number - 1][0]
    before = context(number) if hit.context.before or hit.matcher < 0 else hit.context
    return replace(hit, line=replace(hit.line, number=number), context=before)
