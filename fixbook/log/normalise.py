"""Clean the lines of a log while remembering where they stood.

Colour codes, carriage-return progress bars, and the prefixes that launchers, Ray, Slurm and
loggers put before a message are taken off; the rank they name is kept.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from fixbook.log.disguise import BOX_END, plain, unquoted
from fixbook.log.prefixes import MOST_BEFORE_TASK, MOST_PREFIXES, PREFIXES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

# Longer lines are read in overlapping windows, so that one line never costs more than its length.
WINDOW = 64 * 1024
OVERLAP = 4 * 1024
BLANKS = (" ", "\t")


@dataclass(frozen=True, slots=True)
class LogLine:
    """One cleaned line.

    Attributes:
        number: 1-based number of the line in the file.
        text: The message without prefixes and colour codes.
        rank: The rank that its prefix names, or None.
    """

    number: int
    text: str
    rank: int | None = None


def clean_line(raw: str) -> tuple[str, int | None]:
    """Take colour codes and prefixes off one line.

    Args:
        raw: The line as it stands in the file, without its line feed.

    Returns:
        The message and the rank that a prefix named, if any.
    """
    text, at = plain(raw), 0
    rank: int | None = None
    for _ in range(MOST_PREFIXES):
        start = at
        while text.startswith(BLANKS, start):
            start += 1
        prefix = PREFIXES.match(text, start)
        if not prefix or (start - at > MOST_BEFORE_TASK and prefix["srun"]):
            break
        if rank is None and prefix.lastindex:
            rank = int(prefix[prefix.lastindex])
        at = prefix.end()
    text = text[at:]
    return (text if text.isascii() else BOX_END.sub("", text)), rank


def parts_of(raw: str) -> Iterator[str]:
    """Cut one line where a progress bar rewrote it, and where a JSON string has line feeds."""
    raw = raw.rstrip("\r\n")
    parts = raw.split("\r") if "\r" in raw else (raw,)
    for part in parts:
        if "\\" in part or '{"' in part:
            yield from unquoted(part)
        else:
            yield part


def normalise(lines: Iterable[str]) -> Iterator[LogLine]:
    """Clean the lines of a log.

    A progress bar rewrites its line with carriage returns and the error may follow on the same
    line, so each rewritten part is a line of its own with the same number.

    Args:
        lines: Raw lines, with or without line feeds.

    Yields:
        Cleaned, non-empty lines.
    """
    for number, raw in enumerate(lines, start=1):
        for part in parts_of(raw):
            text, rank = clean_line(part)
            for window in windows(text):
                if window.strip():
                    yield LogLine(number, window, rank)


def windows(text: str) -> Iterator[str]:
    """Cut a very long line into windows that overlap."""
    if len(text) <= WINDOW:
        yield text
        return
    for start in range(0, len(text), WINDOW - OVERLAP):
        yield text[start : start + WINDOW]
