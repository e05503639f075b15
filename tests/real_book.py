"""The published book, read and compiled once a process: it is large, and no test changes it."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bench.finding import Diagnoser
from fixbook.book import load_book
from fixbook.index.build import rows_from
from fixbook.log.finder import Finder
from fixbook.problem import BookError

if TYPE_CHECKING:
    from fixbook.book import Book


@cache
def usable_book() -> Book:
    """Return the book of this checkout without what cannot be read, which test_book reports."""
    return load_book(Path(__file__).parents[1], strict=False)


def real_book() -> Book:
    """Return the book of this checkout; one that cannot be read whole fails every test."""
    book = usable_book()
    if book.problems:
        raise BookError([*book.problems])
    return book


@cache
def real_rows() -> dict[str, Any]:
    """Return its index as plain data."""
    return rows_from(usable_book())


@cache
def real_finder() -> Finder:
    """Return what finds its entries."""
    return Finder(real_rows())


@cache
def real_diagnoser() -> Diagnoser:
    """Return what asks its entries as the benchmarks do."""
    return Diagnoser(usable_book())
