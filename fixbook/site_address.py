"""Where the site is: for links in pages and in what is printed."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from fixbook import __version__

if TYPE_CHECKING:
    from fixbook.text import Lang

SITE_VARIABLE = "FIXBOOK_SITE"
WHEELS, FOLDERS = "wheels", "recipes"  # folders of the site, shared by its languages
WHEEL = f"fixbook-{__version__}-py3-none-any.whl"
LOCAL_SITE = "http://127.0.0.1:8000"  # where `make site` serves it


def site_address() -> str:
    """Return what ``$FIXBOOK_SITE`` says, without a slash at its end; empty if it is not set."""
    return os.environ.get(SITE_VARIABLE, "").rstrip("/")


def is_address(text: str) -> bool:
    """Tell whether a text is the address of a site: ``https://host/path``, without a query."""
    parts = urlsplit(text)
    return parts.scheme in {"http", "https"} and bool(parts.netloc) and parts[3:] == ("", "")


def wheel_address(base: str) -> str:
    """Return where a site serves the wheel of fixbook; an index may have another of this name."""
    return f"{base}/{WHEELS}/{WHEEL}"


def folder_address(base: str, slug: str) -> str:
    """Return where a site serves the folder of an entry, its recipe in it, as one file."""
    return f"{base}/{FOLDERS}/{slug}.tar.gz"


def rule_address(rule: str, lang: Lang) -> str:
    """Return the address of a rule's page; empty if ``$FIXBOOK_SITE`` does not say where it is."""
    base = site_address()
    return f"{base}/{lang}/rules/{rule}/" if base else ""


def entry_address(slug: str, lang: Lang) -> str:
    """Return the address of an entry's page; empty if ``$FIXBOOK_SITE`` does not say where."""
    base = site_address()
    return f"{base}/{lang}/{slug}/" if base else ""
