"""Clean the lines of a log while remembering where they stood.

Colour codes, carriage-return progress bars, and the prefixes that launchers, Ray, Slurm and
loggers put before a message are taken off; the rank they name is kept.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

# Longer lines are read in overlapping windows, so that one line never costs more than its length.
WINDOW = 64 * 1024
OVERLAP = 4 * 1024

ESCAPES = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b\n]*(?:\x07|\x1b\\)|[@-Z\\-_])")
PREFIXES = re.compile(
    r"""
    \[(?:rank|default)(?P<launcher>\d{1,6})\]:?\s?        # torchrun
    | \[(?P<mpi>\d{1,6}),\d{1,6}\]<std(?:out|err)>:\s?     # mpirun
    | (?P<srun>\d{1,5}):\s(?=\S)                           # srun --label
    | \((?:[\w.]+\s)?pid=\d+[^)]{0,80}\)\s?                # Ray
    | \d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d{1,9})?Z?\s?(?:[-+]\d\d:?\d\d)?\s?  # timestamp
    | \[\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d[^\]]{0,40}\]\s?
    | (?:DEBUG|INFO|WARNING|ERROR|CRITICAL)\s\d\d-\d\d\s\d\d:\d\d:\d\d\s  # vLLM
      (?:\[[^\]]{1,60}\]\s?|[\w./]{1,60}:\d{1,6}\]\s?)
    | [IWEF]\d{4}\s\d\d:\d\d:\d\d\.\d{1,9}\s+\d{1,9}\s[^\s\]]{1,200}:\d{1,6}\]\s?  # glog
    """,
    re.VERBOSE | re.ASCII,
)
MOST_PREFIXES = 8


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
    text = ESCAPES.sub("", raw) if "\x1b" in raw else raw
    rank: int | None = None
    for _ in range(MOST_PREFIXES):
        prefix = PREFIXES.match(text)
        if not prefix:
            break
        named = prefix["launcher"] or prefix["mpi"] or prefix["srun"]
        rank = int(named) if named and rank is None else rank
        text = text[prefix.end() :]
    return text, rank


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
        for part in raw.rstrip("\r\n").split("\r"):
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
