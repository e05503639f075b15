"""Every block of code has a button, and every button copies what stands in its block."""

from __future__ import annotations

from html.parser import HTMLParser
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from fixbook.entry import LANGS
from tests.site.small_entry import SLUG

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Browser, Page

    from tests.site.visit import Visit

pytestmark = pytest.mark.browser
_NOTHING = "(this block has no button)"
_STUB = """navigator.clipboard.writeText = (text) => {
  window.copied.push(text);
  return Promise.resolve();
};"""
_PRESS = """(nothing) => [...document.querySelectorAll("pre")].map((pre) => {
  window.copied = [];
  for (const button of pre.querySelectorAll("button")) button.click();
  return window.copied.length ? window.copied.join("\\n(and)\\n") : nothing;
})"""

_COPIED = """document.addEventListener("copy", () => {
  const area = document.activeElement;
  window.selected = area.value.slice(area.selectionStart, area.selectionEnd);
})"""
_DOWNLOADS = (
    "() => [...document.querySelectorAll('a[download]')].map((a) => a.getAttribute('href'))"
)


class Blocks(HTMLParser):
    """The blocks of code of a page as it was built, before any script runs."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[tuple[bool, str]] = []
        self._diff = False
        self._inside = False
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        classes = (dict(attrs).get("class") or "").split()
        if "highlight" in classes:
            self._diff = "language-diff" in classes
        if tag == "pre":
            self._inside = True
            self.found.append((self._diff, ""))

    def handle_endtag(self, tag: str) -> None:
        self._inside &= tag != "pre"

    def handle_data(self, data: str) -> None:
        if self._inside:
            diff, text = self.found[-1]
            self.found[-1] = (diff, text + data.replace("\0", ""))  # as browsers drop it


def wanted(page: str) -> list[str]:
    """What the buttons of a page should copy, in its order; of a diff, the new lines."""
    return [_new(text) if diff else text.rstrip("\n") for diff, text in Blocks(page).found]


def _new(diff: str) -> str:
    new = (line[1:] for line in diff.splitlines() if line.startswith("+"))
    return "\n".join(new) or _NOTHING


@pytest.fixture
def bare(browser: Browser) -> Iterator[Page]:
    """Return a page without the theme's own scripts and styles: a thousand are opened."""
    context = browser.new_context()
    context.add_init_script(_STUB)
    context.route("**/javascripts/**", lambda route: route.abort())
    context.route("**/*.css", lambda route: route.abort())
    yield context.new_page()
    context.close()


def test_every_button_copies_its_block(bare: Page, address: str, site: Path) -> None:
    wrong: list[str] = []
    pressed = 0
    for lang in LANGS:
        for path in sorted((site / lang).rglob("*.html")):
            expected = wanted(path.read_text("utf-8"))
            if not expected:
                continue
            name = path.relative_to(site).as_posix().removesuffix("index.html")
            bare.goto(f"{address}/{name}", wait_until="domcontentloaded")
            seen = bare.evaluate(_PRESS, _NOTHING)
            pressed += sum(text != _NOTHING for text in seen)
            if len(seen) != len(expected):
                wrong.append(f"{name}: {len(seen)} blocks of {len(expected)}")
            pairs = zip(expected, seen, strict=False)
            wrong += [
                f"{name}: {one[:80]!r} copied {got[:80]!r}" for one, got in pairs if one != got
            ]
    assert not wrong, "\n".join(wrong[:20])
    assert pressed > 20


def test_the_button_says_what_it_did(visit: Visit, small_address: str) -> None:
    page = visit.open(f"{small_address}/en/{SLUG}/")
    change = page.locator("#fix-raise-limit .language-diff").first
    button = change.get_by_role("button", name="Copy the new lines")
    button.click()
    expect(button).to_have_attribute("data-fb-said", "Copied")
    assert page.evaluate("navigator.clipboard.readText()") == "limit: 8"
    expect(page.get_by_role("status")).to_have_text("Copied")
    visit.open(f"{small_address}/zh/{SLUG}/")
    button = change.get_by_role("button", name="复制新的行")
    button.click()
    expect(button).to_have_attribute("data-fb-said", "已复制")


def test_where_there_is_no_clipboard_a_block_is_copied(visit: Visit, small_address: str) -> None:
    visit.context.add_init_script("delete Navigator.prototype.clipboard;")
    page = visit.open(f"{small_address}/en/{SLUG}/")
    page.evaluate(_COPIED)
    assert page.evaluate("navigator.clipboard") is None
    page.locator("#fix-raise-limit .language-diff button").first.click()
    expect(page.locator("[data-fb-said='Copied']")).to_be_visible()
    assert page.evaluate("window.selected") == "limit: 8"


def test_the_file_that_is_copied_is_the_one_to_download(
    bare: Page, address: str, site: Path
) -> None:
    files = 0
    for path in sorted((site / "en").glob("*/index.html")):
        text = path.read_text("utf-8")
        if " download=" not in text:
            continue
        bare.goto(f"{address}/en/{path.parent.name}/", wait_until="domcontentloaded")
        copied = set(bare.evaluate(_PRESS, _NOTHING))
        for link in bare.evaluate(_DOWNLOADS):
            files += 1
            assert (path.parent / link).read_text("utf-8").rstrip("\n") in copied, (path, link)
    assert files > 1
