"""Offsets to lines and columns."""

from __future__ import annotations

from bisect import bisect_right

from fixbook.config.setting import Place


class Places:
    """The lines of a text."""

    def __init__(self, text: str) -> None:
        self._starts = [0]
        position = text.find("\n")
        while position >= 0:
            self._starts.append(position + 1)
            position = text.find("\n", position + 1)

    def at(self, start: int, end: int) -> Place:
        """Return the place of ``text[start:end]``."""
        line = bisect_right(self._starts, start)
        return Place(line, start - self._starts[line - 1] + 1, start, end)

    def offset(self, line: int, column: int) -> int:
        """Return the offset of a line and column that count from 1 and 0, as `ast` has them."""
        return self._starts[line - 1] + column
