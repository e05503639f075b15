"""Where a built site is served, and where its issues are, for links from what is printed."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING
from urllib.parse import quote

if TYPE_CHECKING:
    from fixbook.languages import Lang

SITE_VARIABLE = "FIXBOOK_SITE"
REPOSITORY_VARIABLE = "FIXBOOK_REPOSITORY"
_PLAIN = "!'()*"  # what browsers leave as it is
MOST_ADDRESS = 7000  # servers refuse longer addresses


def rule_address(rule: str, lang: Lang) -> str:
    """Return the address of a rule's page; empty if ``$FIXBOOK_SITE`` does not say where it is."""
    base = os.environ.get(SITE_VARIABLE, "").rstrip("/")
    return f"{base}/{lang}/rules/{rule}/" if base else ""


def issues_address() -> str:
    """Return where an issue is opened; empty if ``$FIXBOOK_REPOSITORY`` names no repository."""
    base = os.environ.get(REPOSITORY_VARIABLE, "").rstrip("/")
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
