"""Where a page is read from: ready in a package of the book, put together in a checkout."""

from __future__ import annotations

import json
from functools import partial
from typing import TYPE_CHECKING, Any, cast

from fixbook.garbage import uncollected
from fixbook.kept import below, inside, kept
from fixbook.packed import unpacked
from fixbook.unknown import refuse_unknown

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from fixbook.article.data import Article, Message
    from fixbook.book import Book
    from fixbook.text import Lang

PAGES = "pages.{lang}.xz"  # the files of a package of the book that have them ready


def read_page(root: Path, name: str, lang: Lang) -> Article | Message:
    """Return the page of an entry or of a message.

    Args:
        root: The book, as `fixbook.book_root.book_root` finds it.
        name: Slug of the entry, or id of the message.
        lang: The language.

    Raises:
        BookError: There is no such page, or its entry is wrong; the nearest names are given.
    """
    ready = unpacked(root / PAGES.format(lang=lang), name)
    if ready:
        return cast("Article | Message", json.loads(ready))
    refuse_unknown(root, name, messages=True)
    build = partial(_composed, name=name, lang=lang)
    with uncollected():
        page = kept(root, f"page.{name}.{lang}", build, {"kind"}, parts_of(root, name))
    return cast("Article | Message", page)


def parts_of(root: Path, name: str) -> Iterator[str]:
    """Yield what a page is made from: its entry whole, and of others what they are called.

    Args:
        root: The book.
        name: Slug of the entry, or id of the message.
    """
    yield f"{root}/symptoms"
    yield from (f"{entry}/entry.yaml" for entry in inside(f"{root}/recipes"))
    yield from below(f"{root}/recipes/{name}")


def _composed(root: Path, name: str, lang: Lang) -> dict[str, Any]:
    # Slow to import, and needed in a checkout only.
    from fixbook.article.compose import compose_article, compose_message  # noqa: PLC0415
    from fixbook.book import load_part  # noqa: PLC0415

    book = load_part(root, name)
    if name in book.symptoms:
        return dict(compose_message(name, book, lang))
    return dict(compose_article(book.get(name), book, lang))


def ready_pages(book: Book, lang: Lang) -> dict[str, str]:
    """Return all pages of a language by slug or id, as JSON: what a file of `PAGES` packs.

    Args:
        book: The whole book.
        lang: The language.
    """
    from fixbook.article.compose import compose_article, compose_message  # noqa: PLC0415

    articles = {slug: compose_article(item, book, lang) for slug, item in book.entries.items()}
    messages = {name: compose_message(name, book, lang) for name in book.symptoms}
    return {name: _json(page) for name, page in (articles | messages).items()}


def _json(page: Article | Message) -> str:
    return json.dumps(page, ensure_ascii=False)
