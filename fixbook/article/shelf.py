"""Where a page is read from: ready in a package of the book, put together in a checkout."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, cast

from fixbook.text import LANGS

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from fixbook.article.data import Article, Message
    from fixbook.book import Book
    from fixbook.text import Lang

PAGES = "pages"  # the folder of a package of the book that has them ready


def read_page(root: Path, name: str, lang: Lang) -> Article | Message:
    """Return the page of an entry or of a message.

    Args:
        root: The book, as `fixbook.book_root.book_root` finds it.
        name: Slug of the entry, or id of the message.
        lang: The language.

    Raises:
        BookError: There is no such page, or its entry is wrong; the nearest names are given.
    """
    ready = {path.name: path for path in (root / PAGES).glob("*.json")}
    path = ready.get(_file(name, lang))  # looked up in what is there: a name is no path
    if path is not None:
        return cast("Article | Message", json.loads(path.read_bytes()))
    # Slow to import, and needed in a checkout only.
    from fixbook.article.compose import compose_article, compose_message  # noqa: PLC0415
    from fixbook.book import load_part  # noqa: PLC0415

    book = load_part(root, name)
    if name in book.symptoms:
        return compose_message(name, book, lang)
    return compose_article(book.get(name), book, lang)


def ready_pages(book: Book) -> Iterator[tuple[str, str]]:
    """Yield the files of all pages, by their names in the folder `PAGES`.

    Args:
        book: The whole book.
    """
    from fixbook.article.compose import compose_article, compose_message  # noqa: PLC0415

    for lang in LANGS:
        for slug, item in book.entries.items():
            yield _file(slug, lang), _json(compose_article(item, book, lang))
        for name in book.symptoms:
            yield _file(name, lang), _json(compose_message(name, book, lang))


def _file(name: str, lang: Lang) -> str:
    return f"{name}.{lang}.json"


def _json(page: Article | Message) -> str:
    return json.dumps(page, ensure_ascii=False)
