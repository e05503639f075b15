"""Where a built site is served, for links from what the command prints."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fixbook.languages import Lang

SITE_VARIABLE = "FIXBOOK_SITE"


def rule_address(rule: str, lang: Lang) -> str:
    """Return the address of a rule's page; empty if ``$FIXBOOK_SITE`` does not say where it is."""
    base = os.environ.get(SITE_VARIABLE, "").rstrip("/")
    return f"{base}/{lang}/rules/{rule}/" if base else ""
