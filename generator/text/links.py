"""Links of texts to other pages: a text is read before it is known on which page it will stand."""

from __future__ import annotations

import posixpath
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Container

ROOT = "\ue0f3"  # the root of a language; of the private use area, as in `generator.text.guard`
_LINK = re.compile(rf"\]\({ROOT}(?P<page>[a-z0-9/-]+)/(?P<anchor>#[a-z0-9-]+)?\)")


def placed(text: str, path: str, known: Container[str]) -> str:
    """Complete the links of a page.

    Args:
        text: Its Markdown.
        path: Where it stands below the root of its language.
        known: The paths of all pages; a link to another stays on the page.
    """

    def link(found: re.Match[str]) -> str:
        page = f"{found['page']}/index.md"
        if page not in known:
            return "](#top)"
        return f"]({posixpath.relpath(page, posixpath.dirname(path))}{found['anchor'] or ''})"

    return _LINK.sub(link, text)


def absolute(text: str, lang: str, base: str) -> str:
    """Complete the links of a text that stands on no page, with the address of the site."""
    return text.replace(ROOT, f"{base}/{lang}/")
