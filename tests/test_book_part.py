"""``fixbook show`` reads what a page needs, and prints what the whole book would give."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from fixbook.article.compose import compose_article, compose_message
from fixbook.book import Targets, load_part
from fixbook.problem import BookError
from tests.conftest import both
from tests.real_book import real_book

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from fixbook.book import Book


def test_a_page_is_that_of_the_whole_book() -> None:
    book = real_book()
    for slug in list(book.entries)[::6]:
        part = load_part(book.root, slug)
        assert compose_article(part.get(slug), part, "en") == compose_article(
            book.get(slug), book, "en"
        )
        assert len(part.entries) < len(book.entries) / 4
    for name in list(book.symptoms)[::4]:
        assert compose_message(name, load_part(book.root, name), "zh") == compose_message(
            name, book, "zh"
        )


def test_a_broken_neighbour_is_not_read(
    make_book: Callable[..., Book], entry: dict[str, Any]
) -> None:
    make_book(slug="other-entry")
    entry["symptom"] = both("See {{entry:third-entry}}.")
    root = make_book(entry).root
    make_book(slug="third-entry")
    (root / "recipes/other-entry/entry.yaml").write_text("title: [")
    part = load_part(root, "widget-overflow")
    assert set(part.entries) == {"widget-overflow", "third-entry"}
    linked = Targets(part, "widget-overflow").linked(entry["symptom"]["en"], "en")
    assert linked == "See [Widget overflow](third-entry/)."
    with pytest.raises(BookError, match="did you mean"):
        load_part(root, "widget-overflw").get("widget-overflw")


def test_a_file_that_is_no_utf_8_is_named(make_book: Callable[..., Book]) -> None:
    root = make_book().root
    path = root / "recipes/widget-overflow/entry.yaml"
    path.write_bytes(path.read_bytes() + b"# \xc3(\n")
    with pytest.raises(BookError, match="is not UTF-8"):
        load_part(root, "widget-overflow")
