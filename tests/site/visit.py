"""A page of the site, with everything that goes wrong while it is open."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Literal
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import TimeoutError as BrowserTimeout

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, Locator, Page

Scheme = Literal["light", "dark"]
SCHEMES: tuple[Scheme, ...] = ("light", "dark")
_ASKED, _STATUS = "#fb-diagnose-text", "#fb-diagnose-status"
_PATIENCE_MS = 300_000  # the first check loads Python, and others may use the machine


class Visit:
    """A page with everything that goes wrong while it is open."""

    def __init__(
        self, browser: Browser, address: str, scheme: Scheme = "light", width: int = 1280
    ) -> None:
        self.context = browser.new_context(
            viewport={"width": width, "height": 844},
            color_scheme=scheme,
            permissions=["clipboard-read", "clipboard-write"],
        )
        self.page: Page = self.context.new_page()
        self.wrong: list[str] = []
        self.outside: list[str] = []
        self.page.on(
            "console",
            lambda m: self.wrong.append(m.text) if m.type in {"error", "warning"} else None,
        )
        self.page.on("pageerror", lambda error: self.wrong.append(str(error)))
        self.page.on(
            "response",
            lambda r: self.wrong.append(f"{r.status} {r.url}") if r.status >= 400 else None,
        )
        self.page.on(
            "request", lambda r: self.outside.append(r.url) if self._elsewhere(r.url) else None
        )
        self.host = urlsplit(address).netloc

    def _elsewhere(self, url: str) -> bool:
        parts = urlsplit(url)
        return parts.scheme in {"http", "https"} and parts.netloc != self.host

    def open(self, url: str) -> Page:
        self.page.goto(url)  # until all has loaded; on a busy machine the network rests before
        self.page.wait_for_load_state("networkidle")
        return self.page


@contextmanager
def quiet_visit(browser: Browser, address: str) -> Iterator[Visit]:
    """Open a page on which nothing may go wrong, and which may ask no other site."""
    seen = Visit(browser, address)
    yield seen
    seen.context.close()
    assert seen.wrong == []
    assert seen.outside == []


def answered(page: Page) -> Locator:
    """Wait for what the box to ask answers, and return the place of the answer."""
    try:
        page.wait_for_selector("#answer", timeout=_PATIENCE_MS)
    except BrowserTimeout:
        asked, said = page.input_value(_ASKED), page.text_content(_STATUS)
        pytest.fail(f"asked {asked!r}, no answer; the page says {said!r}")
    return page.locator("#fb-diagnose-answer")
