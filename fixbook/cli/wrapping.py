"""Wrap Chinese for a terminal: a Han character takes two cells, and a line may end after it."""

from __future__ import annotations

import re
import unicodedata

_WIDE = "\u2e80-\uffef"
_OPENING = "“（〔《「"
_CLOSING = "，。；：？！、）”〕》」"
_PIECES = rf"\s+|[{_OPENING}]*(?:[^\s{_WIDE}]+|[{_WIDE}])[{_CLOSING}]*|."


def has_wide(text: str) -> bool:
    """Say whether a text holds characters that take two cells."""
    return re.search(f"[{_WIDE}]", text) is not None


def wrap(text: str, width: int, first: str = "", rest: str = "") -> str:
    """Wrap a paragraph.

    Args:
        text: The paragraph; its line breaks count as spaces.
        width: Cells in a line, indentation included.
        first: Indentation of the first line.
        rest: Indentation of the others.
    """
    lines: list[str] = []
    line, used = first, len(first)
    for piece in pieces(re.sub(r"\s+", " ", text.strip())):
        if used + cells(piece) > width and line.strip():
            lines.append(line.rstrip())
            line, used = rest, len(rest)
            if piece.isspace():
                continue
        line += piece
        used += cells(piece)
    return "\n".join([*lines, line.rstrip()])


def pieces(text: str) -> list[str]:
    """Split a text where a line may end: Latin words, Han characters with their punctuation."""
    found: list[str] = re.findall(_PIECES, text)
    return found


def clipped(text: str, width: int) -> str:
    """Cut a line to a width, and mark where."""
    if cells(text) <= width:
        return text
    kept = ""
    for char in text:
        if cells(kept + char) > width - 1:
            break
        kept += char
    return kept + "…"


def padded(text: str, width: int) -> str:
    """Fill a text with blanks to a width."""
    return text + " " * max(0, width - cells(text))


def cells(text: str) -> int:
    """Return how many cells of a terminal a text takes."""
    return sum(2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in text)
