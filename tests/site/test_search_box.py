"""The search box opens what it recognises, and never what it only guesses."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.site.visit import Visit, quiet_visit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser

pytestmark = pytest.mark.browser
BOX = "[data-md-component=search-query]"
RESULTS = "[data-md-component=search-result]"
FIRST = RESULTS + " a[href]"


@pytest.fixture
def visit(browser: Browser, address: str) -> Iterator[Visit]:
    with quiet_visit(browser, address) as seen:
        yield seen


def test_enter_opens_no_guess(visit: Visit, address: str) -> None:
    page = visit.open(address + "/en/")
    page.locator(BOX).click()
    page.keyboard.type("evidence")
    page.wait_for_selector(".fb-found__tag--near")
    page.keyboard.press("Enter")
    expect(page.locator(FIRST).first).to_be_focused()
    assert page.url.removesuffix("#") == address + "/en/", "chosen, not opened"
    page.locator(RESULTS).evaluate("list => { list.innerHTML = list.innerHTML }")
    expect(page.locator(FIRST).first).to_be_focused()  # though the list was written anew
    page.keyboard.press("Enter")
    page.wait_for_url(lambda url: url.removesuffix("#") != address + "/en/")
    assert visit.wrong == []


def test_what_is_not_in_the_book_is_said(visit: Visit, address: str) -> None:
    page = visit.open(address + "/zh/")
    page.locator(BOX).click()
    page.keyboard.type("量子力学")
    page.wait_for_selector(".fb-found__tag--none")
    assert page.locator(FIRST).count() == 1
    assert "手册里还没有" in page.locator(FIRST).inner_text()
    page.keyboard.press("Enter")
    assert page.url.removesuffix("#") == address + "/zh/"
