"""The diagnosis page of a built site, as people use it."""

from __future__ import annotations

import gzip
import re
from typing import TYPE_CHECKING

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from fixbook.text import LANGS
from tests.site.small_entry import SLUG
from tests.site.visit import SCHEMES, Scheme, Visit

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Browser, Locator, Page


pytestmark = pytest.mark.browser
ERROR = "Error: widget 7 overflowed its box"
ICON = "favicon.svg"  # Chromium asks for it again when the history moves
LOG = f"start\n[rank3]: {ERROR}\n<b id=injected>bold</b>\nend\n"


def answered(page: Page) -> Locator:
    page.wait_for_selector("#answer")
    return page.locator("#fb-diagnose-answer")


def ask(page: Page, text: str) -> Locator:
    page.fill("#fb-diagnose-text", text)
    page.locator("form[data-fb-diagnose] [type=submit]").click()
    return answered(page)


def test_a_pasted_log_is_answered(visit: Visit, small_address: str) -> None:
    for lang, words in (("en", "Specific"), ("zh", "明确")):
        page = visit.open(f"{small_address}/{lang}/diagnose/")
        found = ask(page, LOG)
        expect(found).to_contain_text(words)
        expect(found.locator("#answer a")).to_have_attribute(
            "href", f"{small_address}/{lang}/{SLUG}/"
        )
        expect(found.locator(".fb-status")).to_contain_text("rank 3")
        expect(found.locator("dd")).to_have_text("7")
        expect(found.locator(".fb-excerpt__line--hit mark")).to_have_text(ERROR[7:])
        assert found.locator(".fb-excerpt__line--hit").inner_text().startswith("2")
        expect(found.locator(".fb-fixnow code").first).to_contain_text("limit: 8")
        expect(page.locator("#fb-diagnose-status")).to_contain_text("limit")


def test_a_paste_answers_by_itself(visit: Visit, small_address: str) -> None:
    page = visit.open(f"{small_address}/en/diagnose/")
    page.evaluate("(text) => navigator.clipboard.writeText(text)", LOG)
    page.locator("#fb-diagnose-text").focus()
    page.keyboard.press("Control+V")
    expect(answered(page)).to_contain_text("Specific")


def test_markup_in_a_log_stays_text(visit: Visit, small_address: str) -> None:
    page = visit.open(f"{small_address}/en/diagnose/")
    found = ask(page, LOG + "ValueError: <img src=x onerror=alert(1)>\n")
    expect(found.locator(".fb-excerpt")).to_contain_text("<b id=injected>")
    assert page.locator("#injected").count() == 0
    assert found.locator("img").count() == 0


def test_nothing_leaves_the_page(visit: Visit, small_address: str, tmp_path: Path) -> None:
    page = visit.open(f"{small_address}/en/diagnose/")
    ask(page, "warm up")
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.url))
    ask(page, LOG)
    (tmp_path / "a.log").write_text(LOG)
    page.locator("input[multiple]").set_input_files(tmp_path / "a.log")
    expect(answered(page)).to_contain_text("a.log")
    page.locator("summary").last.click()
    page.wait_for_timeout(300)
    assert [url for url in sent if not url.startswith("blob:") and ICON not in url] == []


def test_files_are_the_ranks_of_one_run(visit: Visit, small_address: str, tmp_path: Path) -> None:
    page = visit.open(f"{small_address}/en/diagnose/")
    late = f"2025-01-01 10:00:09 {ERROR}\n"
    early = f"2025-01-01 10:00:01 x\n{ERROR.replace('7', '8')}\n"
    (tmp_path / "rank_0.log").write_text(late)
    (tmp_path / "rank_1.log.gz").write_bytes(gzip.compress(early.encode()))
    (tmp_path / "rank_2.log").write_bytes(b"\xff\xfe" + late.encode("utf-16-le"))
    page.locator("input[multiple]").set_input_files(sorted(tmp_path.iterdir()))
    found = answered(page)
    expect(found.locator(".fb-status")).to_have_text(
        "rank_1.log.gz, line 2, rank 1 · seen on ranks 0, 1, 2"
    )
    expect(found.locator("dd")).to_have_text("8")


def test_a_dropped_file_is_read(visit: Visit, small_address: str) -> None:
    page = visit.open(f"{small_address}/en/diagnose/")
    drop = page.evaluate_handle(
        """(text) => {
          const data = new DataTransfer();
          data.items.add(new File([text], "rank5.log"));
          return data;
        }""",
        LOG,
    )
    page.dispatch_event("[data-fb-drop]", "drop", {"dataTransfer": drop})
    expect(answered(page)).to_contain_text("rank5.log, line 2")


def test_a_broken_archive_is_said(visit: Visit, small_address: str, tmp_path: Path) -> None:
    page = visit.open(f"{small_address}/en/diagnose/")
    noise = "".join(f"{n * 7919 % 99991}\n" for n in range(200_000))
    whole = gzip.compress((LOG + noise).encode())
    (tmp_path / "cut.gz").write_bytes(whole[: len(whole) // 2])
    (tmp_path / "z.zst").write_bytes(b"\x28\xb5\x2f\xfd rest")
    page.locator("input[multiple]").set_input_files([tmp_path / "cut.gz", tmp_path / "z.zst"])
    found = answered(page)
    expect(found).to_contain_text("cut.gz breaks off")
    expect(found).to_contain_text("z.zst is compressed with zstd")
    expect(found).to_contain_text("Specific")


def test_a_large_file_shows_progress_and_can_be_cancelled(visit: Visit, small_address: str) -> None:
    page = visit.open(f"{small_address}/en/diagnose/")
    page.evaluate(
        """() => {
          const line = "step 12345 loss 0.3456 lr 1e-4 grad_norm 0.12\\n".repeat(23000);
          const file = new File(new Array(300).fill(line), "large.log");
          const data = new DataTransfer();
          data.items.add(file);
          const input = document.querySelector("input[multiple]");
          input.files = data.files;
          input.dispatchEvent(new Event("change"));
        }"""
    )
    page.wait_for_function("() => (document.querySelector('progress') || {}).value > 0")
    page.get_by_role("button", name="Cancel").click()
    expect(page.locator("#fb-diagnose-status")).to_have_text("Cancelled.")
    expect(ask(page, LOG)).to_contain_text("Specific")


TRACEBACK = """\
[rank0]: step 8
[rank1]: Traceback (most recent call last):
[rank1]:   File "/home/alice/job/train.py", line 12, in main
[rank1]:     <b id=injected>loss</b>
[rank1]:   File "/v/lib/python3.11/site-packages/peft/model.py", line 3, in load
[rank1]: ValueError: odd adapter 7 at /home/alice/job/x.py
"""


def test_what_is_unknown_is_said_and_its_report_is_redacted(
    visit: Visit, small_address: str
) -> None:
    page = visit.open(f"{small_address}/en/diagnose/")
    secrets = "hf_abcdefghijklmnop alice@acme.example 10.1.2.3 node17.corp /home/alice/job/train.py"
    found = ask(page, f"token {secrets}\n{TRACEBACK}")
    expect(found.locator("#answer")).to_have_text("Not in the book yet (1 entries)")
    expect(found.locator(".fb-diag__error")).to_have_text(
        "ValueError: odd adapter 7 at /home/alice/job/x.py"
    )
    expect(found.locator(".fb-status")).to_have_text("line 7, rank 1")
    expect(found.locator(".fb-excerpt mark")).to_contain_text("ValueError: odd adapter")
    expect(found.locator(".fb-diag__card")).to_contain_text("train.py:12 (main)")
    expect(found.locator(".fb-diag__card")).to_contain_text("<b id=injected>")
    assert page.locator("#injected").count() == 0
    link = found.get_by_role("link", name="huggingface/peft")
    expect(link).to_have_attribute(
        "href", re.compile(r"q=repo%3Ahuggingface%2Fpeft%20%22ValueError")
    )
    expect(link).to_have_attribute("rel", "noopener noreferrer")
    found.locator("summary").click()
    filled = re.compile(r"token <token> <email> <ip> <host> <path>/train\.py")
    expect(found.locator("textarea")).to_have_value(filled)
    report = found.locator("textarea").input_value()
    assert not [word for word in (*secrets.split(), "alice", "acme") if word in report]
    issue = found.get_by_role("link", name="Open an issue in the repository")
    issue.focus()  # as what was corrected counts, the address is made when it is wanted
    fields = r"answer=not%20recognised.*&hardware=.*&log=line%207%0A%60%60%60text%0A"
    form = rf"/issues/new\?template=not-recognised\.yml&title=ValueError.*&{fields}"
    expect(issue).to_have_attribute("href", re.compile(form))
    found.get_by_role("button", name="Copy").click()
    assert page.evaluate("navigator.clipboard.readText()") == report


def test_a_message_carries_the_advice_of_its_page(visit: Visit, small_address: str) -> None:
    page = visit.open(f"{small_address}/en/diagnose/")
    found = ask(page, "Something overflowed\n")
    expect(found.locator(".fb-diag__advice")).to_have_text("It says little.")


def test_an_empty_box_asks_for_a_log(visit: Visit, small_address: str) -> None:
    page = visit.open(f"{small_address}/en/diagnose/")
    page.locator("form[data-fb-diagnose] [type=submit]").click()
    expect(page.locator("#fb-diagnose-status")).to_contain_text("Nothing to read")


@pytest.mark.parametrize("scheme", SCHEMES)
def test_answers_are_accessible(browser: Browser, small_address: str, scheme: Scheme) -> None:
    for lang in LANGS:
        seen = Visit(browser, small_address, scheme)
        page = seen.open(f"{small_address}/{lang}/diagnose/")
        for text in ("", LOG, "Something overflowed\n", "ValueError: odd\n"):
            if text:
                ask(page, text)
                page.wait_for_timeout(400)  # the header's title fades when the page scrolls
            found = Axe().run(page).response["violations"]
            report = [f"{v['id']}: {n['html'][:120]}" for v in found for n in v["nodes"]]
            assert report == [], (lang, text)
        assert seen.wrong == []
        seen.context.close()


def test_the_answer_fits_a_phone(browser: Browser, small_address: str) -> None:
    seen = Visit(browser, small_address, width=390)
    page = seen.open(f"{small_address}/zh/diagnose/")
    ask(page, LOG.replace("end", "x" * 3000))
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    seen.context.close()


def test_it_works_from_a_folder(browser: Browser, small_site: Path) -> None:
    context = browser.new_context()
    page = context.new_page()
    wrong: list[str] = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.goto((small_site / "en/diagnose/index.html").as_uri())
    found = ask(page, LOG)
    expect(found).to_contain_text("Specific")
    expect(found.locator("#answer a")).to_have_attribute(
        "href", (small_site / f"en/{SLUG}/index.html").as_uri()
    )
    assert wrong == []
    context.close()
