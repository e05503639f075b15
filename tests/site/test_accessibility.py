"""Every kind of page, for readers who use a keyboard, a screen reader or a phone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from axe_playwright_python.sync_playwright import Axe

from fixbook.text import LANGS
from tests.site.conftest import article_of
from tests.site.visit import SCHEMES, Scheme, Visit

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Browser

pytestmark = pytest.mark.browser

# The page makes what scrolls reachable a moment after it has settled, later on a busy machine.
REACHABLE = """() => [...document.querySelectorAll("pre > code")].every(
  (code) => code.scrollWidth <= code.clientWidth || code.tabIndex === 0)"""


def paths(site: Path) -> list[str]:
    slug = article_of(site)
    names = [
        "",
        "entries/",
        f"{slug}/",
        f"{slug}/evidence/",
        "evidence/",
        "claims/",
        "symptoms/",
        "reading-evidence/",
    ]
    return [f"/{lang}/{name}" for lang in LANGS for name in names]


@pytest.mark.parametrize("scheme", SCHEMES)
def test_pages_are_accessible_and_quiet(
    browser: Browser, address: str, site: Path, scheme: Scheme
) -> None:
    seen = Visit(browser, address, scheme)
    for path in paths(site):
        page = seen.open(address + path)
        page.wait_for_function(REACHABLE, timeout=60_000)
        found = Axe().run(page).response["violations"]
        report = [f"{v['id']}: {n['html'][:120]}" for v in found for n in v["nodes"]]
        assert report == [], (path, scheme)
        assert seen.wrong == [], path
        assert seen.outside == [], path
    seen.context.close()


@pytest.mark.parametrize("scheme", SCHEMES)
def test_no_page_is_wider_than_a_phone(
    browser: Browser, address: str, site: Path, scheme: Scheme
) -> None:
    seen = Visit(browser, address, scheme, width=390)
    for path in paths(site):
        page = seen.page
        page.goto(address + path)
        assert page.evaluate("document.documentElement.scrollWidth") <= 390, path
    seen.context.close()
