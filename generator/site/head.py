"""What the head of a page tells browsers, search engines and previews, from the tree's data."""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from fixbook.text import LANGS
from generator.text.templating import render

if TYPE_CHECKING:
    from generator.view.edition import Edition

# Where it goes; a theme may say with a comment that it leaves this part to us.
_BEGINS = re.compile(r"<head>\s*(?:<!-- head -->)?")


class Head:
    """Puts a head into each page of one language.

    Args:
        edition: The book in that language.
        policy: The content security policy of its pages.
    """

    def __init__(self, edition: Edition, policy: str) -> None:
        self._url = f"{edition.site}/{edition.lang}/"
        self._page = partial(
            render,
            "head.html.j2",
            t=edition.words,
            lang=edition.lang,
            langs=LANGS,
            root=edition.site,
            site=self._url,
            policy=policy,
        )

    def put(self, page: str, name: str, known: dict[str, Any] | None) -> str:
        """Return a page with its head.

        Args:
            page: The page, as HTML.
            name: Its path below the language.
            known: What the tree knows of it; None for the page of a missing address.
        """
        up = "../" * name.count("/") if known else urlsplit(self._url).path
        head = self._page(page=known, address=name.removesuffix("index.html"), up=up)
        return _BEGINS.sub(lambda _: f"<head>\n{head}", page, count=1)
