"""Texts as such: lines and columns."""

from fixbook.text.lines import break_lines, columns, join_lines

__all__ = ["break_lines", "columns", "join_lines"]
