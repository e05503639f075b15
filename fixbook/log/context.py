"""What stands before a line, in which the traceback of an exception is looked for."""

from __future__ import annotations

from dataclasses import dataclass

# Bytes before an exception that are kept, and of the beginning of a log.
CONTEXT = 16 * 1024


@dataclass(frozen=True, slots=True)
class Context:
    """What stands before a line.

    Attributes:
        before: Raw whole lines, at most `CONTEXT` bytes; kept for exceptions alone.
        rank: The rank of lines that name none.
    """

    before: bytes = b""
    rank: int | None = None


def lines_before(earlier: bytes, chunk: bytes, start: int) -> bytes:
    """Return the whole lines before one, as far back as they are kept.

    Args:
        earlier: What was read before the chunk.
        chunk: Where the line stands.
        start: Its offset.
    """
    before = chunk[max(0, start - CONTEXT) : start]
    if len(before) < CONTEXT:
        before = earlier[-(CONTEXT - len(before)) :] + before
    return before if len(before) < CONTEXT else before[before.find(b"\n") + 1 :]
