"""What a scan finds in one log."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from fixbook.log.context import Context

if TYPE_CHECKING:
    from fixbook.log.normalise import LogLine

NO_CONTEXT = Context()
ERRORS = -1  # in the place of a matcher: an error that none matched


@dataclass(frozen=True, slots=True)
class Hit:
    """One line in which a pattern matched.

    Attributes:
        matcher: Position of the matcher in the index.
        line: The cleaned line.
        captures: Values of the pattern's named groups.
        moment: Seconds since an arbitrary origin, from the nearest timestamp before, or None.
        source: Name of the log.
        context: What stands before the line.
        code: True if a source line matched: `line` is then the exception that it raised.
    """

    matcher: int
    line: LogLine
    captures: dict[str, str]
    moment: float | None
    source: str
    context: Context = NO_CONTEXT
    code: bool = False


@dataclass(slots=True)
class Scan:
    """What one log holds.

    Attributes:
        source: Name of the log.
        hits: Matches of signatures and symptoms, in the order of the log.
        found: Patterns of ``context``, ``unless`` and cases that were found anywhere.
        errors: Lines with an error that no pattern matched: an exception of Python, a crash, an
            error of a compiler or a shell. Each text at most twice for a rank.
        lines: How many lines were read.
        rank: The rank its name tells, or None.
        head: The beginning of the log.
        tail: The end of the log, whole lines.
        before: How many lines stand before the tail.
        first: True once an error of a compiler or of pip is listed; what follows it is not.
        met: Matchers that were met, with the rank, and whether in a source line.
        said: How often the text of an error was met, with the rank.
        quoted: Lines that hold an error and are quoted in a chat, by number.
        last: The last line of each matcher that was met, by its number; of errors under -1.
    """

    source: str
    rank: int | None = None
    hits: list[Hit] = field(default_factory=list)
    found: set[str] = field(default_factory=set)
    errors: list[Hit] = field(default_factory=list)
    lines: int = 0
    head: bytes = b""
    tail: bytes = b""
    before: int = 0
    first: bool = False
    met: set[tuple[int, int | None, bool]] = field(default_factory=set)
    said: Counter[tuple[str, int | None]] = field(default_factory=Counter)
    quoted: set[int] = field(default_factory=set)
    last: dict[int, int] = field(default_factory=dict)
