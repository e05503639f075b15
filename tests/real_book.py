"""The published book, loaded once a process: it is large, and no test changes it."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from fixbook.book import load_book

if TYPE_CHECKING:
    from fixbook.book import Book


@cache
def real_book() -> Book:
    """Return the book of this checkout."""
    return load_book()
