"""The home page, and the box to ask wherever it stands."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import expect

from fixbook.text import LANGS
from generator.pages.home import examples
from generator.view.coverage import QUIET, news, projects, proven, quiet, stages
from generator.view.edition import Edition
from tests.site.conftest import article_of
from tests.site.small_entry import SLUG
from tests.site.visit import Visit, answered, quiet_visit

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Browser, Locator, Page, Route

    from generator.view.library import Library

LINE = "Error: widget 7 overflowed its box"
LOG = f"start\n[rank3]: {LINE}\nend"


def test_everything_on_it_is_counted(real_library: Library) -> None:
    dossiers = list(real_library.dossiers.values())
    for stage in stages(dossiers):
        for name, number in stage.categories.items():
            assert number == sum(name in one.entry.categories for one in dossiers)
    known = {name for stage in stages(dossiers) for name in stage.categories}
    assert known == {name for one in dossiers for name in one.entry.categories}
    for name, (entries, _) in projects(real_library).items():
        assert entries == sum(name in one.entry.projects for one in dossiers)
    assert all(one.entry.categories[0] == QUIET for one in quiet(dossiers))
    seen = proven(real_library)
    assert seen.steps == sum(len(one.outline.steps) for one in dossiers)
    assert 0 < seen.passed <= seen.steps
    assert [one.day for one in news(dossiers)] == sorted(
        (n.day for n in news(dossiers)), reverse=True
    )


def ask(page: Page, text: str) -> Locator:
    page.fill("#fb-diagnose-text", text)
    page.locator("form[data-fb-diagnose] [type=submit]").click()
    return answered(page)


@pytest.mark.browser
def test_it_answers_in_place(visit: Visit, small_address: str) -> None:
    for lang, words in (("en", "Specific"), ("zh", "明确")):
        page = visit.open(f"{small_address}/{lang}/")
        found = ask(page, LOG)
        expect(found).to_contain_text(words)
        expect(found).to_contain_text("3 lines read" if lang == "en" else "读了 3 行")
        link = found.locator("#answer a")
        expect(link).to_have_attribute("href", f"{small_address}/{lang}/{SLUG}/")


@pytest.mark.browser
@pytest.mark.parametrize("pressed", ["[type=submit]", "[data-fb-try]"])
def test_what_is_asked_before_the_scripts_arrive_is_answered_then(
    visit: Visit, small_address: str, pressed: str
) -> None:
    page = visit.page
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.route("**/assets/diagnose/page.js", hold)
    page.goto(f"{small_address}/en/", wait_until="commit")
    page.fill("#fb-diagnose-text", LINE)
    page.locator(f"form[data-fb-diagnose] {pressed}").first.press("Enter")
    asked = page.input_value("#fb-diagnose-text")
    assert asked == LINE or pressed == "[data-fb-try]"
    while not held:
        page.wait_for_timeout(20)
    assert page.locator("#answer").count() == 0
    held[0].continue_()
    answered(page)
    assert page.input_value("#fb-diagnose-text") == asked


@pytest.mark.browser
def test_words_find_pages_in_place(visit: Visit, small_address: str) -> None:
    page = visit.open(f"{small_address}/en/")
    found = ask(page, "widgets too large")
    expect(found.locator("#answer")).to_have_text("Found by these words")
    expect(found.locator("li a").first).to_have_attribute("href", f"{small_address}/en/{SLUG}/")


@pytest.mark.browser
def test_every_example_is_answered(browser: Browser, address: str, real_library: Library) -> None:
    for lang in LANGS:
        with quiet_visit(browser, address) as seen:
            page = seen.open(f"{address}/{lang}/")
            buttons = page.locator("[data-fb-try]")
            for number in range(buttons.count()):
                buttons.nth(number).press("Enter")  # a click may miss what moves
                answered(page)
                assert page.input_value("#fb-diagnose-text") == buttons.nth(number).get_attribute(
                    "data-fb-try"
                )
                page.evaluate("document.getElementById('fb-diagnose-answer').replaceChildren()")
    lines = [one for one in examples(Edition(real_library, "en")) if one.kind == "line"]
    logs = [
        text.read_text("utf-8", "replace")
        for one in real_library.dossiers.values()
        for text in one.item.folder.glob("logs/*")
    ]
    records = [
        record.log
        for one in real_library.dossiers.values()
        for machine in one.evidence.values()
        for record in machine.steps.values()
    ]
    assert lines
    assert all(any(one.text in log for log in [*logs, *records]) for one in lines)


@pytest.mark.browser
def test_back_keeps_the_answer_and_what_was_asked(visit: Visit, small_address: str) -> None:
    page = visit.open(f"{small_address}/en/")
    ask(page, LINE)
    assert parse_qs(urlsplit(page.url).query) == {"q": [LINE]}
    page.locator("#answer a").click()
    page.wait_for_url(f"**/{SLUG}/")
    page.go_back()
    expect(answered(page)).to_contain_text("Specific")
    assert page.input_value("#fb-diagnose-text") == LINE
    ask(page, LOG)
    assert urlsplit(page.url).query == "", "several lines stay out of the address"
    page.reload()
    expect(answered(page)).to_contain_text("3 lines read")
    page.go_back()
    expect(page.locator("#fb-diagnose-answer")).to_contain_text("1 line read")
    assert page.input_value("#fb-diagnose-text") == LINE


@pytest.mark.browser
@pytest.mark.parametrize("path", ["", "diagnose/"])
def test_a_link_may_ask(visit: Visit, small_address: str, path: str) -> None:
    page = visit.open(f"{small_address}/en/{path}?q=widget+7+overflowed+its+box")
    expect(answered(page)).to_contain_text("Specific")
    assert not page.locator("#__search").is_checked()
    assert urlsplit(page.url).query.startswith("q=widget")


@pytest.mark.browser
def test_what_gives_something_away_stays_out_of_the_address(
    visit: Visit, small_address: str
) -> None:
    page = visit.open(f"{small_address}/en/")
    ask(page, "ValueError: alice@acme.example cannot read /home/alice/job.py")
    assert urlsplit(page.url).query == ""
    page.reload()
    assert "alice" in page.input_value("#fb-diagnose-text")


@pytest.mark.browser
def test_the_other_language_takes_the_paste_over(visit: Visit, small_address: str) -> None:
    page = visit.open(f"{small_address}/en/")
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.url + (request.post_data or "")))
    ask(page, LOG)
    page.get_by_role("link", name="中文", exact=True).click()
    page.wait_for_url(f"{small_address}/zh/**")
    expect(answered(page)).to_contain_text("明确")
    assert page.input_value("#fb-diagnose-text") == LOG
    assert [url for url in sent if "widget" in url] == []


@pytest.mark.browser
def test_the_other_language_keeps_the_place(visit: Visit, small_address: str) -> None:
    page = visit.open(f"{small_address}/en/{SLUG}/")
    page.evaluate("document.getElementById('why').scrollIntoView()")
    page.get_by_role("link", name="中文", exact=True).click()
    page.wait_for_url(f"{small_address}/zh/{SLUG}/#why")


@pytest.mark.browser
def test_the_answer_is_in_sight_on_a_phone(browser: Browser, small_address: str) -> None:
    for path in ("", "diagnose/"):
        seen = Visit(browser, small_address, width=390)
        page = seen.open(f"{small_address}/en/{path}")
        ask(page, LOG)
        page.wait_for_function(
            "() => { const top = document.getElementById('answer').getBoundingClientRect().top;"
            " return top > 40 && top < innerHeight / 2; }"
        )
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        seen.context.close()


@pytest.mark.browser
def test_diagnosis_is_one_step_away(visit: Visit, small_address: str, small_site: Path) -> None:
    for path in ("", f"{article_of(small_site)}/", "evidence/"):
        page = visit.open(f"{small_address}/zh/{path}")
        page.get_by_role("banner").get_by_role("link", name="诊断", exact=True).click()
        page.wait_for_url(f"{small_address}/zh/diagnose/")


@pytest.mark.browser
def test_the_list_of_entries_is_narrowed(browser: Browser, address: str, site: Path) -> None:
    with quiet_visit(browser, address) as seen:
        page = seen.open(f"{address}/en/entries/")
        rows = page.locator(".fb-index li:visible")
        everything = rows.count()
        assert everything == len(list(site.glob("api/v1/en/entries/*.json")))
        for link in page.locator("[data-fb-facets] a[id]").all():
            link.click()
            expect(rows).to_have_count(int(link.locator(".fb-count").inner_text()))
        page.get_by_role("link", name="Show all").click()
        expect(rows).to_have_count(everything)
        title = rows.last.locator("a").inner_text()
        words = page.get_by_label("Filter")
        words.fill(title.upper())
        expect(rows).to_have_count(1)
        expect(page.locator(".fb-group:visible")).to_have_count(1)
        expect(page.locator(".fb-facets [role=status]")).to_have_text(f"1 / {everything}")
        words.fill("")
        expect(rows).to_have_count(everything)


@pytest.mark.browser
def test_the_list_of_entries_needs_no_script(
    browser: Browser, small_address: str, small_site: Path
) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{small_address}/en/entries/")
    expect(page.locator(".fb-index li:visible")).to_have_count(1)
    expect(page.get_by_label("Filter")).to_be_hidden()
    page.locator("[data-fb-facets] a[id]").first.click()
    page.wait_for_url(f"{small_address}/en/kinds/out-of-memory/")
    page.locator(".md-content li a").first.click()
    page.wait_for_url(f"{small_address}/en/{article_of(small_site)}/")
    context.close()


@pytest.mark.browser
def test_what_is_folded_is_printed(browser: Browser, small_address: str, small_site: Path) -> None:
    heights = """() => [...document.querySelectorAll(".md-content details > :not(summary)")]
      .filter((one) => one.textContent.trim()).map((one) => one.getBoundingClientRect().height)"""
    with quiet_visit(browser, small_address) as seen:
        page = seen.open(f"{small_address}/en/{article_of(small_site)}/")
        page.emulate_media(media="print")
        shown = page.evaluate(heights)
        assert len(shown) > 3
        assert min(shown) > 0
        folded = page.locator(".md-content details:not([open])")
        before = folded.count()
        page.evaluate("dispatchEvent(new Event('beforeprint'))")  # for browsers without that style
        assert folded.count() == 0
        page.evaluate("dispatchEvent(new Event('afterprint'))")
        assert folded.count() == before > 0


@pytest.mark.browser
@pytest.mark.parametrize("lang", ["zh", "en"])
def test_a_missing_page_searches_in_its_language(
    browser: Browser, small_address: str, lang: str
) -> None:
    seen = Visit(browser, small_address)
    page = seen.open(f"{small_address}/{lang}/no/such/page/")
    page.locator(".fb-missing input").fill("widget 7 overflowed its box")
    page.keyboard.press("Enter")
    assert answered(page).inner_text()
    assert page.url.startswith(f"{small_address}/{lang}/diagnose/")
    seen.context.close()
