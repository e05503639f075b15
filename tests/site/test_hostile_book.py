"""Nothing that an entry, a message or evidence says becomes a program on a page."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from itertools import chain
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree as ET

import pytest

from generator.browser.search_index import advice_data, fixes_data
from generator.exports.files import exports
from generator.site.build import build_language
from generator.site.live_markup import MarkupError, check_markup
from generator.text.safe_markdown import allowed
from generator.text.snippets import html_of
from generator.view.edition import Edition
from generator.view.library import load_library
from tests.site.hostile_entry import BLOCKS, ELEMENTS, LINKS, LISTS, OPEN, write_hostile_book
from tests.site.small_entry import SLUG

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from generator.view.library import Library

NEVER = {"iframe", "object", "embed", "base", "frame"}
STAND_IN = re.compile("[\ue0f0-\ue0f2]|\\\\ue0f[012]")


class Seen(HTMLParser):
    """What of a page a browser would run or follow."""

    def __init__(self) -> None:
        super().__init__()
        self.live: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        on = [name for name in values if name.startswith("on") or name == "srcdoc"]
        followed = [values[name] for name in ("href", "src", "action") if name in values]
        refresh = tag == "meta" and values.get("http-equiv", "").lower() == "refresh"
        if tag in NEVER or on or refresh or not all(map(allowed, followed)):
            self.live.append(self.get_starttag_text() or tag)
        self.live += [value for value in followed if "hostile.example" in value]
        if values.get("id") == "__config" and tag != "script":
            self.live.append("__config")

    def handle_data(self, data: str) -> None:
        if self.cdata_elem == "script" and "hostile()" in data and '"@context"' not in data:
            self.live.append(data)


def live(page: str) -> list[str]:
    seen = Seen()
    seen.feed(page)
    seen.close()
    return seen.live


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Library:
    return load_library(write_hostile_book(tmp_path_factory.mktemp("hostile")))


def test_what_looks_for_live_markup_finds_it() -> None:
    for text in ELEMENTS[:7]:
        assert live(text), text


def test_no_page_of_a_hostile_book_runs_anything(hostile: Library, tmp_path: Path) -> None:
    build_language(Edition(hostile, "en"), tmp_path, "http://127.0.0.1:8000")
    pages = {path: path.read_text("utf-8") for path in tmp_path.rglob("*.html")}
    assert len(pages) > 8
    for path, page in pages.items():
        assert live(page) == [], path
        assert not STAND_IN.search(page), path
    article = pages[tmp_path / "en" / SLUG / "index.html"]
    assert "&lt;script&gt;hostile()&lt;/script&gt;" in article  # shown as it was written
    assert "&lt;javascript:hostile()&gt;" in article
    listed = (tmp_path / "en/search/search_index.json").read_text("utf-8")
    assert not STAND_IN.search(listed)


@pytest.mark.parametrize(
    "text",
    [
        *ELEMENTS,
        *LINKS,
        *LISTS,
        *BLOCKS,
        *OPEN,
        *(f"{one} ```\n<script>hostile()</script>\n```" for one in ("", "x")),
    ],
)
def test_no_text_runs_anything_in_an_answer(text: str) -> None:
    seen = html_of(text, SLUG)
    assert live(seen) == []
    assert not STAND_IN.search(seen)
    check_markup(seen, "answer")


def html_in(advice: dict[str, Any]) -> Iterator[str]:
    """Yield what a page shows as HTML of an entry's advice; code, titles and cases are text."""
    yield advice["detect"]["text"]
    yield from (one["text"] for one in [*advice["fixes"], *advice["avoid"]])
    yield from (fix["trade_off"] for fix in advice["fixes"] if fix["trade_off"])


def test_answers_and_exports_are_sound(hostile: Library) -> None:
    entries = fixes_data(hostile.rows, "en").values()
    shown = [*advice_data(hostile.rows, "en")["advice"].values(), *chain(*map(html_in, entries))]
    assert len(shown) > len(entries), "there is something to look at"
    assert [live(html) for html in shown if live(html)] == []
    for name, text in exports([Edition(hostile, "en")], "https://example.org").items():
        assert not STAND_IN.search(text), name
        if name.endswith(".json"):
            json.loads(text)
        elif name.endswith(".xml"):
            names = {one.tag.rpartition("}")[2] for one in ET.fromstring(text).iter()}  # noqa: S314
            assert names <= {
                "feed", "id", "title", "updated", "link", "author", "name", "entry", "published",
                "category", "summary",
            }  # fmt: skip


@pytest.mark.parametrize(
    "text", ["needs torch<2.6 & a <path>", "a {b} c {: d }", "Dict{a: 1} && x <<EOF", "&nbsp; &lt;"]
)
def test_signs_of_markup_are_shown_as_they_are_written(text: str) -> None:
    import html  # noqa: PLC0415

    assert html.unescape(re.sub("<[^>]+>", "", html_of(text, SLUG))) == text
    in_code = html_of(f"say `{text}`", SLUG)
    assert html.unescape(re.sub("<[^>]+>", "", in_code)) == f"say {text}"


@pytest.mark.parametrize("text", [*ELEMENTS[:7], '<a href="java&#9;script:x">', "<p onclick=x>",
                                  "<!-- -->", '<span style="position:fixed">'])  # fmt: skip
def test_a_page_with_live_markup_is_refused(text: str) -> None:
    with pytest.raises(MarkupError, match="without HTML"):
        check_markup(f"<p>{text}</p>", "page.md")


@pytest.mark.parametrize(
    "address",
    ["https://example.org/a:b", "#a", "../a/index.md#b", "a/b?c=d:e", "mailto:a@b.c", "/zh/"],
)
def test_addresses_of_pages_are_followed(address: str) -> None:
    assert allowed(address)


@pytest.mark.parametrize(
    "address",
    ["javascript:x", " JAVASCRIPT:x", "java\nscript:x", "\x01javascript:x", "data:text/html,x",
     "vbscript:x", "java&Tab;script:x", "&#x6A;avascript&colon;x", "file:///etc", "blob:x",
     "\x02106\x03avascript:x", "java\u200bscript:x"],
)  # fmt: skip
def test_other_addresses_are_dropped(address: str) -> None:
    assert not allowed(address)
