"""Where the site and its issues are: for links in pages and in what is printed."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING
from urllib.parse import quote, urlsplit

from fixbook import __version__

if TYPE_CHECKING:
    from fixbook.languages import Lang

SITE_VARIABLE = "FIXBOOK_SITE"
REPOSITORY_VARIABLE = "FIXBOOK_REPOSITORY"
_PLAIN = "!'()*"  # what browsers leave as it is
MOST_ADDRESS = 7000  # servers refuse longer addresses
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


def issues_address() -> str:
    """Return where an issue is opened; empty if ``$FIXBOOK_REPOSITORY`` is not set.

    Raises:
        BookError: It is no address of a repository, and the links would lead nowhere.
    """
    base = os.environ.get(REPOSITORY_VARIABLE, "").rstrip("/")
    if base and not (is_address(base) and urlsplit(base).path.strip("/")):
        # The browser's Python has neither, and asks for no issue.
        from fixbook.i18n import _  # noqa: PLC0415
        from fixbook.problem import BookError, Problem  # noqa: PLC0415

        said = _("{base} is no address of a repository").format(base=repr(base))
        mend = _("write one such as https://github.com/acme/fixbook, or leave it unset")
        raise BookError([Problem(f"${REPOSITORY_VARIABLE}", said, mend)])
    return f"{base}/issues/new" if base else ""


def issue_address(title: str, body: str) -> str:
    """Return the address of a new issue that is filled in; empty if nobody says where.

    Args:
        title: Its title.
        body: Its text; its end is left out where the address would be too long.
    """
    base = issues_address()
    if not base:
        return ""
    while len(quote(body, safe=_PLAIN)) > MOST_ADDRESS:
        body = body[: len(body) * 3 // 4]
    parts = [f"title={quote(title, safe=_PLAIN)}", f"body={quote(body, safe=_PLAIN)}"]
    return f"{base}?{'&'.join(parts)}"
