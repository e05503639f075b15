"""Tabs per tool: picked once, kept across pages, languages and visits, and without a script."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from axe_playwright_python.sync_playwright import Axe

from tests.site.small_entry import SLUG

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page

    from tests.site.visit import Visit

pytestmark = pytest.mark.browser


def tabs(page: Page) -> Locator:
    """Return the tabs of tools of the fix that is a setting in several."""
    page.locator("#fix-other-box").evaluate("fold => { fold.open = true; }")
    return page.locator("#fix-other-box .tabbed-set").first


def shown(page: Page) -> str:
    return tabs(page).locator(":scope > .tabbed-content > .tabbed-block:visible").inner_text()


def pick(page: Page, tool: str) -> None:
    tabs(page).locator(":scope > .tabbed-labels > label", has_text=tool).click()


def test_the_tool_is_picked_once(visit: Visit, small_address: str) -> None:
    page = visit.open(f"{small_address}/en/{SLUG}/")
    assert "+name: axolotl" in shown(page)
    pick(page, "gadgets")
    assert "+name: gadgets" in shown(page)
    page.reload()
    assert "+name: gadgets" in shown(page)
    page.goto(f"{small_address}/zh/{SLUG}/")
    assert "+name: gadgets" in shown(page)
    pick(page, "axolotl")
    page.goto(f"{small_address}/en/{SLUG}/")
    assert "+name: axolotl" in shown(page)


def test_each_tab_has_its_file_to_copy_and_to_download(visit: Visit, small_address: str) -> None:
    page = visit.open(f"{small_address}/en/{SLUG}/")
    pick(page, "gadgets")
    panel = tabs(page).locator(":scope > .tabbed-content > .tabbed-block:visible")
    with page.expect_download() as download:
        panel.get_by_role("link", name="download larger.yaml").click()
    assert download.value.suggested_filename == "larger.yaml"
    assert download.value.path().read_text("utf-8") == "name: gadgets\n\nlimit: 16\n"
    assert "+limit: 16" in panel.inner_text()
    panel.locator("summary", has_text="The whole file").click()
    panel.get_by_role("button", name="Copy larger.yaml").click()
    assert page.evaluate("navigator.clipboard.readText()") == "name: gadgets\n\nlimit: 16"
    assert Axe().run(page).response["violations"] == []


def test_tabs_answer_to_the_keyboard(visit: Visit, small_address: str) -> None:
    page = visit.open(f"{small_address}/en/{SLUG}/")
    tabs(page).locator(":scope > input").first.focus()
    page.keyboard.press("ArrowRight")
    assert "+name: gadgets" in shown(page)
    page.reload()
    assert "+name: gadgets" in shown(page)


def test_tabs_need_no_script(browser: Browser, small_address: str) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{small_address}/en/{SLUG}/")
    pick(page, "gadgets")
    assert "+name: gadgets" in shown(page)
    context.close()
