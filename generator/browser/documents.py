"""The pages of the site that are no entries, as documents to search."""

from __future__ import annotations

import html
import re
from typing import Any

from generator.text.markup import short

_TAG = re.compile(r"<[^>]+>")
_MOST_TEXT = 6000


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
