"""Every block of code has a button, and every button copies what stands in its block."""

from __future__ import annotations

import re
from html import unescape
from html.parser import HTMLParser
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from fixbook.text import LANGS
from tests.site.small_entry import SLUG

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Browser

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
# A thousand pages are shown in one, each as it was built and handed to the site's own script as the
# browser does when it has read it: opening them one by one costs ten times as much.
_PRESS_ALL = """async ([addresses, press, nothing]) => {
  const script = new Function(await (await fetch(location.href)).text());
  const pressAll = eval(press);
  const seen = [];
  for (const address of addresses) {
    const page = new DOMParser().parseFromString(await (await fetch(address)).text(), "text/html");
    document.documentElement.lang = page.documentElement.lang;
    document.body.replaceChildren(...page.querySelectorAll(".md-content"));
    script();
    seen.push(pressAll(nothing));
  }
  return seen;
}"""
_AT_ONCE = 100  # pages; the time limit is for one such call
_OPENED = 8  # pages that are opened as a reader does
_SCRIPT = "assets/copy.js"
_LOADS = re.compile(rf'<script src="((?:\.\./)*|/)({re.escape(_SCRIPT)})"></script>')

_COPIED = """document.addEventListener("copy", () => {
  const area = document.activeElement;
  window.selected = area.value.slice(area.selectionStart, area.selectionEnd);
})"""
_DOWNLOAD = re.compile(r'<a (?=(?:[^>]*\s)?download[\s=>])[^>]*\bhref="([^"]*)(?<!\.ipynb)"')

Pages = dict[str, list[str]]  # texts by page, such as /en/nan-loss-fp16/index.html


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


@pytest.fixture(scope="module")
def blocks(site: Path) -> Pages:
    """What the buttons of each page should copy; only of pages that have blocks."""
    paths = [path for lang in LANGS for path in sorted((site / lang).rglob("*.html"))]
    found = {f"/{path.relative_to(site)}": wanted(path.read_text("utf-8")) for path in paths}
    return {name: texts for name, texts in found.items() if texts}


@pytest.fixture(scope="module")
def copied(browser: Browser, address: str, blocks: Pages) -> Pages:
    """What each button of each of these pages copies when it is pressed."""
    context = browser.new_context()
    context.add_init_script(_STUB)
    page = context.new_page()
    page.goto(f"{address}/en/{_SCRIPT}")  # a text: no page's policy forbids to run it
    names = list(blocks)
    seen: list[list[str]] = []
    for start in range(0, len(names), _AT_ONCE):
        seen += page.evaluate(_PRESS_ALL, [names[start : start + _AT_ONCE], _PRESS, _NOTHING])
    context.close()
    return dict(zip(names, seen, strict=True))


def differences(name: str, expected: list[str], seen: list[str]) -> list[str]:
    wrong = [f"{name}: {len(seen)} blocks of {len(expected)}"] * (len(seen) != len(expected))
    pairs = zip(expected, seen, strict=False)
    return wrong + [f"{name}: {one[:80]!r} copied {got[:80]!r}" for one, got in pairs if one != got]


def test_every_button_copies_its_block(blocks: Pages, copied: Pages) -> None:
    wrong = [line for name in blocks for line in differences(name, blocks[name], copied[name])]
    assert not wrong, "\n".join(wrong[:20])
    assert sum(text != _NOTHING for texts in copied.values() for text in texts) > 20


def test_every_page_with_blocks_loads_the_script_of_their_buttons(
    site: Path, blocks: Pages
) -> None:
    for name in blocks:
        page = site / name[1:]
        ((up, script),) = _LOADS.findall(page.read_text("utf-8"))
        folder = site / name.split("/")[1] if up == "/" else page.parent / up
        assert (folder / script).resolve() == (site / name.split("/")[1] / _SCRIPT).resolve()


def test_pages_that_are_opened_have_these_buttons(
    browser: Browser, address: str, blocks: Pages
) -> None:
    context = browser.new_context()
    context.add_init_script(_STUB)
    page = context.new_page()
    names = list(blocks)
    for name in names[:: max(1, len(names) // _OPENED)]:
        page.goto(address + name.removesuffix("index.html"))
        assert page.evaluate(_PRESS, _NOTHING) == blocks[name], name
    context.close()


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


def test_the_file_that_is_copied_is_the_one_to_download(site: Path, copied: Pages) -> None:
    files = 0
    for name, texts in copied.items():
        page = site / name[1:]
        for link in _DOWNLOAD.findall(page.read_text("utf-8")):
            files += 1
            assert (page.parent / unescape(link)).read_text("utf-8").rstrip("\n") in texts, link
    assert files > 1
