"""The site in a real browser."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from axe_playwright_python.sync_playwright import Axe

from fixbook.text import LANGS
from tests.site.conftest import article_of
from tests.site.visit import Visit

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Browser

pytestmark = pytest.mark.browser
_OPENED = 8  # articles that are opened as a reader does
_TOP_OF_FIX = "document.getElementById('fix').getBoundingClientRect().top"
# Hundreds of articles are shown in one, which costs a tenth of opening each.
_SHOW_ALL = f"""async (pages) => {{
  const tops = {{}};
  for (const page of pages) {{
    const text = await (await fetch(page)).text();
    const read = new DOMParser().parseFromString(text, "text/html");
    document.documentElement.lang = read.documentElement.lang;
    document.querySelector(".md-container").replaceWith(read.querySelector(".md-container"));
    tops[page] = {_TOP_OF_FIX};
  }}
  return tops;
}}"""


@pytest.fixture
def visit(browser: Browser, address: str) -> Iterator[Visit]:
    seen = Visit(browser, address)
    yield seen
    seen.context.close()


def test_the_open_search_is_accessible(visit: Visit, address: str) -> None:
    page = visit.open(address + "/en/")
    page.locator("[data-md-component=search-query]").click()
    page.keyboard.type("overflowed memory evidence")
    page.wait_for_selector(".md-search-result__item")
    assert Axe().run(page).response["violations"] == []


def test_the_fix_is_on_the_first_screen(browser: Browser, address: str, site: Path) -> None:
    slugs = sorted(path.stem for path in site.glob("api/v1/en/entries/*.json"))
    pages = [f"/{lang}/{slug}/" for lang in LANGS for slug in slugs]
    seen = Visit(browser, address)
    for page in pages[:: max(1, len(pages) // _OPENED)]:
        seen.page.goto(address + page)
        assert seen.page.evaluate(_SHOW_ALL, [page])[page] == seen.page.evaluate(_TOP_OF_FIX), page
    low = {page: top for page, top in seen.page.evaluate(_SHOW_ALL, pages).items() if top >= 760}
    assert low == {}
    seen.context.close()


def test_the_language_switch_stays_on_the_page(visit: Visit, address: str, site: Path) -> None:
    page = visit.open(f"{address}/zh/{article_of(site)}/#why")
    page.get_by_role("link", name="English", exact=True).click()
    page.wait_for_url(f"{address}/en/{article_of(site)}/#why")
    page.get_by_role("link", name="中文", exact=True).click()
    page.wait_for_url(f"{address}/zh/{article_of(site)}/#why")
    visit.open(address + "/")
    assert page.url == address + "/zh/", "the root page remembers the choice"
    assert visit.wrong == []


@pytest.mark.parametrize(("locale", "lang"), [("zh-CN", "zh"), ("en-GB", "en"), ("fr-FR", "en")])
def test_the_root_page_follows_the_browser(
    browser: Browser, address: str, locale: str, lang: str
) -> None:
    context = browser.new_context(locale=locale)
    page = context.new_page()
    page.goto(address + "/")
    page.wait_for_url(f"{address}/{lang}/")
    context.close()


def test_the_copy_button_stands_beside_the_code_on_a_phone(
    browser: Browser, address: str, site: Path
) -> None:
    seen = Visit(browser, address, width=390)
    page = seen.open(f"{address}/en/{article_of(site)}/")
    covered = page.evaluate(
        """() => [...document.querySelectorAll(".fb-copy")]
          .filter((button) => button.getClientRects().length)
          .map((button) => [button, button.closest("pre").querySelector("code")])
          .filter(([button, code]) =>
            button.getBoundingClientRect().left < code.getBoundingClientRect().right - 1)
          .map(([, code]) => code.textContent.slice(0, 60))"""
    )
    assert page.locator(".fb-copy").count() > 0
    assert covered == []
    seen.context.close()


def test_a_paste_by_mouse_searches(visit: Visit, address: str) -> None:
    page = visit.open(address + "/en/")
    box = page.locator("[data-md-component=search-query]")
    page.evaluate("document.getElementById('__search').click()")
    box.focus()
    box.evaluate("box => { box.value = 'evidence'; }")
    box.dispatch_event("input")
    page.wait_for_selector(".md-search-result__item")


def test_a_configuration_can_be_downloaded(visit: Visit, address: str, site: Path) -> None:
    slug = min(path.parent.parent.name for path in (site / "en").glob("*/configs/*"))
    page = visit.open(f"{address}/en/{slug}/")
    links = page.locator("a[download]")
    assert links.count() > 0
    open_its_tab = """link => {
        const block = link.closest(".tabbed-block");
        const number = block ? [...block.parentElement.children].indexOf(block) : 0;
        if (block) block.closest(".tabbed-set").querySelectorAll(":scope > input")[number].click();
        for (let at = link; at; at = at.parentElement) if (at.matches("details")) at.open = true;
    }"""
    for number in range(links.count()):
        links.nth(number).evaluate(open_its_tab)
        with page.expect_download() as download:
            links.nth(number).click()
        assert download.value.path().read_text("utf-8").strip()
