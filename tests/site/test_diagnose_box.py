"""The search box of a built site: Material's box, our worker behind it."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import quote

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from fixbook.text import LANGS
from generator.site.search_worker import OURS, WorkerError, check_worker, with_worker
from tests.site.small_entry import SLUG
from tests.site.visit import SCHEMES, Scheme, Visit

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Browser, Locator, Page

pytestmark = pytest.mark.browser
ERROR = "Error: widget 7 overflowed its box"
LOG = f"start\n[rank3]: {ERROR}\nend\n"
QUERY = "[data-md-component=search-query]"


def results(page: Page) -> Locator:
    page.wait_for_selector(".md-search-result__item")
    return page.locator(".md-search-result__item")


def test_the_search_index_is_loaded_with_the_first_query(visit: Visit, small_address: str) -> None:
    loaded: list[str] = []
    visit.page.on("request", lambda request: loaded.append(request.url))
    page = visit.open(f"{small_address}/en/")
    assert [url for url in loaded if "fixbook.js" in url and "search" in url] == []
    page.locator(QUERY).focus()
    page.keyboard.type("widget 7 overflowed its box")
    expect(results(page).first).to_contain_text("Specific")
    assert len([url for url in loaded if url.endswith("search/fixbook.js")]) <= 1


def test_search_by_deep_link_and_enter(visit: Visit, small_address: str) -> None:
    page = visit.open(f"{small_address}/zh/evidence/?q={quote(LOG)}")
    first = results(page).first
    expect(first).to_contain_text("明确")
    expect(first.locator("mark")).to_have_text(ERROR[7:])
    page.locator(QUERY).focus()
    page.keyboard.press("Enter")
    page.wait_for_url(f"{small_address}/zh/{SLUG}/**")


def test_search_with_the_keyboard(visit: Visit, small_address: str) -> None:
    page = visit.open(f"{small_address}/en/")
    page.keyboard.press("/")
    page.keyboard.type("box")
    results(page)
    page.keyboard.press("ArrowDown")
    assert "md-search-result__link" in page.evaluate("document.activeElement.className")
    page.keyboard.press("Escape")
    assert not page.locator("#__search").is_checked()


def test_a_traceback_pasted_by_mouse(visit: Visit, small_address: str) -> None:
    page = visit.open(f"{small_address}/en/")
    frames = "".join(f'  File "/a/b{n}.py", line {n}, in f\n    f(x: {n})\n' for n in range(200))
    box = page.locator(QUERY)
    box.focus()
    text = f"Traceback (most recent call last):\n{frames}{ERROR}\n".replace("\n", " ")
    box.evaluate(
        "(box, text) => { box.value = text; box.dispatchEvent(new Event('input')); }", text
    )
    expect(results(page).first).to_contain_text("Specific")
    expect(results(page).first.locator("mark")).to_have_text(ERROR[7:])
    expect(results(page).last).to_contain_text("Diagnose a whole log")


@pytest.mark.parametrize("scheme", SCHEMES)
def test_open_search_is_accessible(browser: Browser, small_address: str, scheme: Scheme) -> None:
    for lang in LANGS:
        seen = Visit(browser, small_address, scheme)
        page = seen.open(f"{small_address}/{lang}/evidence/?q={quote(LOG)}")
        results(page)
        page.wait_for_timeout(400)
        assert Axe().run(page).response["violations"] == []
        seen.context.close()


def test_markup_in_a_query_stays_text(visit: Visit, small_address: str) -> None:
    page = visit.open(
        f"{small_address}/en/evidence/?q={quote('<img src=x onerror=alert(1)> ' + ERROR)}"
    )
    expect(results(page).first).to_contain_text("<img src=x")
    assert page.locator(".md-search-result img").count() == 0


def test_pages_that_are_no_entries_are_found(visit: Visit, small_address: str) -> None:
    page = visit.open(f"{small_address}/zh/evidence/?q={quote('怎样读证据')}")
    expect(results(page).first.locator("a").first).to_have_attribute(
        "href", f"{small_address}/zh/reading-evidence/"
    )


def test_it_works_from_a_folder(browser: Browser, small_site: Path) -> None:
    context = browser.new_context()
    page = context.new_page()
    wrong: list[str] = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.goto((small_site / "zh/index.html").as_uri())
    page.locator(QUERY).focus()
    page.keyboard.type("widget 7 overflowed its box")
    expect(results(page).first).to_contain_text("明确")
    assert wrong == []
    context.close()


def test_a_worker_that_was_not_replaced_stops_the_build(tmp_path: Path) -> None:
    page = '<script id="__config" type="application/json">{{"base": ".", "search": "{}"}}</script>'
    theirs, ours = "../assets/javascripts/workers/search.0f.min.js", f"../{OURS}"
    assert with_worker(page.format(theirs) + theirs, "x.html") == page.format(ours) + theirs
    for wrong in ("", page.format("assets/other.js"), theirs):
        with pytest.raises(WorkerError, match=r"^x\.html starts the search worker "):
            with_worker(wrong, "x.html")
    with pytest.raises(WorkerError, match="is missing"):
        check_worker(tmp_path)
    (tmp_path / OURS).parent.mkdir(parents=True)
    (tmp_path / OURS).touch()
    check_worker(tmp_path)
