"""Entries are held against public threads: each leads to a part of the page, or it was mended."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
import yaml

from fixbook.book import THREADS_FILE, load_threads
from fixbook.problem import BookError
from tests.gating import found

if TYPE_CHECKING:
    from fixbook.book import Book

THREAD = {
    "url": "https://example.org/issues/7",
    "route": "Widgets packed by a robot.",
    "ended": "solved",
    "by": "A larger box.",
    "leads_to": "fix:mend-it",
}


def with_threads(book: Book, *threads: dict[str, Any]) -> Book:
    """Write the threads of the one entry."""
    path = book.get("widget-overflow").folder / THREADS_FILE
    path.write_text(yaml.safe_dump(list(threads)), "utf-8")
    return book


def test_threads_that_lead_to_parts_of_the_page(good: Book) -> None:
    """Two are enough; what has no cause there is another page's."""
    other = THREAD | {"url": "https://example.org/issues/8", "leads_to": "other:widget-overflow"}
    book = with_threads(good, THREAD, other)
    assert len(load_threads(book.get("widget-overflow"))) == 2
    assert found(book, "threads") == ""


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"leads_to": "fix:no-such"}, "'fix:no-such' is no part of the entry"),
        ({"leads_to": "other:no-such"}, "'other:no-such' is no part of the entry"),
        ({"leads_to": "missing", "missing": "A fix for robots."}, "lacks something on the page"),
    ],
)
def test_a_thread_that_leads_nowhere(good: Book, change: dict[str, str], message: str) -> None:
    """Each thread names a part of the page, or another page."""
    assert message in found(with_threads(good, THREAD | change, THREAD), "threads")


def test_too_few_threads(good: Book) -> None:
    """Two at least are read before a page counts as complete."""
    assert "holds 1 threads" in found(with_threads(good, THREAD), "threads")


def test_a_thread_without_a_target_says_what_is_missing(good: Book) -> None:
    """And a key that there is not is refused with its line."""
    with pytest.raises(BookError, match="say under 'missing'"):
        load_threads(with_threads(good, THREAD | {"leads_to": "missing"}).get("widget-overflow"))
    with pytest.raises(BookError):
        load_threads(with_threads(good, THREAD | {"autor": "x"}).get("widget-overflow"))


def test_a_pages_own_reference_is_no_thread(good: Book) -> None:
    """It cannot speak against what was written from it."""
    url = good.get("widget-overflow").entry.references[0].url
    assert "own references" in found(with_threads(good, THREAD | {"url": url}, THREAD), "threads")
