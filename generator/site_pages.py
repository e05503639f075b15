"""The pages of the site that are no entries, as documents to search."""

from __future__ import annotations

import html
import re
from typing import Any

_TAG = re.compile(r"<[^>]+>")
_MOST_TEXT = 6000


def page_documents(listed: list[dict[str, Any]], indexed: set[str]) -> list[dict[str, Any]]:
    """Join the sections that MkDocs' search plugin lists into pages.

    Args:
        listed: Its documents: pages, and sections whose location has an anchor.
        indexed: Addresses of entries and messages, which are indexed from their own fields.
    """
    pages: dict[str, dict[str, Any]] = {}
    for row in listed:
        address = row["location"].partition("#")[0]
        parts = address.split("/")
        if not address or not indexed.isdisjoint((parts[0], "/".join(parts[:2]))):
            continue
        page = pages.setdefault(address, {"url": address, "title": "", "text": ""})
        if "#" not in row["location"]:
            page["title"] = _plain(row["title"])
        if len(page["text"]) < _MOST_TEXT:
            page["text"] += " ".join(("", _plain(row["title"]), _plain(row["text"])))
    return [page for page in pages.values() if page["title"]]


def _plain(text: str) -> str:
    return html.unescape(_TAG.sub(" ", text)).strip()
