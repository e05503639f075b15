"""The published book passes every gate."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from fixbook.gates import GATES
from fixbook.gates.reading import Reading
from tests.real_book import real_book

if TYPE_CHECKING:
    from fixbook.book import Book


@pytest.fixture(scope="module")
def book() -> Book:
    return real_book()


@pytest.fixture(scope="module")
def reading(book: Book) -> Reading:
    return Reading(book)


@pytest.mark.parametrize("gate", GATES)
def test_gate(reading: Reading, gate: str) -> None:
    problems = list(GATES[gate](reading))
    assert not problems, "\n" + "\n".join(map(str, problems))


def test_every_article_under_test_is_answered(book: Book) -> None:
    """Each source article has its claims judged, and each claim leads to a part of an entry."""
    judged = {claim.source for item in book.entries.values() for claim in item.entry.said}
    assert judged == set(book.sources)
