"""The pages of the site that are no entries, as documents to search."""

from __future__ import annotations

import html
import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from fixbook.book import Book

from generator.markup import short

_TAG = re.compile(r"<[^>]+>")
_MOST_TEXT = 6000


def indexed(address: str, book: Book) -> bool:
    """Tell whether a page is one of an entry or a message, which are indexed from their fields.

    Args:
        address: Of the page, below its language.
        book: The book.
    """
    first, _slash, rest = address.partition("/")
    return first in book.entries or (
        first == "symptoms" and rest.partition("/")[0] in book.symptoms
    )


def page_documents(listed: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Join the sections that MkDocs' search plugin lists into pages.

    Args:
        listed: Its documents: pages, and sections whose location has an anchor.
    """
    pages: dict[str, dict[str, Any]] = {}
    for row in listed:
        address = row["location"].partition("#")[0]
        if not address:  # the home page
            continue
        page = pages.setdefault(address, {"url": address, "title": "", "text": ""})
        if "#" not in row["location"]:
            page["title"] = short(_plain(row["title"]))
        if len(page["text"]) < _MOST_TEXT:
            page["text"] += " ".join(("", _plain(row["title"]), _plain(row["text"])))
    return [page for page in pages.values() if page["title"]]


def _plain(text: str) -> str:
    return html.unescape(_TAG.sub(" ", text)).strip()
