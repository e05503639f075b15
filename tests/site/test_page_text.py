"""What a reader sees of a page is found, counted, and free of raw markup."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING

import pytest

from generator.site.build import SiteError, build_site
from generator.text.page_text import PageError, check_pages, length, open_text, too_long
from generator.view.library import load_library
from tests.site.small_book import write_book
from tests.site.small_entry import ENTRY

if TYPE_CHECKING:
    from pathlib import Path

    from fixbook.text import Lang

PAGE = """<html><body><nav>away</nav><article><h1>Title<a class="headerlink">#</a></h1>
<p>Set <code>limit</code> to 8.<br></p><pre><code>limit: 8</code></pre>
<details><summary>More</summary><p>folded <img src="x"></p>
<details><summary>deeper</summary>deep</details></details>
<script>let hidden = "{: .x }";</script><p>End.</p></article></body></html>"""


def test_open_text_is_what_stands_there_unopened() -> None:
    assert open_text(PAGE) == "Title Set limit to 8. More End."


@pytest.mark.parametrize(
    ("text", "lang", "count"),
    [
        ("torch 2.13.0 doesn't fit", "en", 4),
        ("把 batch size 调到 8。", "zh", 6),
        ("—, · ✓", "en", 0),
    ],
)
def test_words_and_characters_are_counted(text: str, lang: Lang, count: int) -> None:
    assert length(text, lang) == count


def test_a_text_that_is_too_long_says_by_how_much() -> None:
    page = f"<article><p>{'word ' * 622}</p></article>"
    assert "622 words" in too_long(page, "en")
    assert "drop 122" in too_long(page, "en")
    assert too_long(page, "zh") == ""
    assert "901 characters" in too_long(f"<article>{'字' * 901}</article>", "zh")


@pytest.mark.parametrize("raw", ["{: .fb-by }", "{{step.measure}}", "{{snippet:mend}}"])
def test_raw_markup_is_an_error_that_names_the_page(tmp_path: Path, raw: str) -> None:
    code = f"<p>Fine: <code>{raw}</code></p><pre>{raw}</pre><script>{raw}</script>"
    (tmp_path / "index.html").write_text(code, "utf-8")
    check_pages(tmp_path)
    (tmp_path / "a").mkdir()
    (tmp_path / "a/index.html").write_text(f"<p>Seen in {raw}</p>", "utf-8")
    with pytest.raises(PageError, match=r"a/index\.html shows '\{[:{]"):
        check_pages(tmp_path)


def test_a_build_stops_at_raw_markup(tmp_path: Path) -> None:
    entry = copy.deepcopy(ENTRY)
    entry["cause"]["en"] = "One line.\n\n{: .fb-by }"
    library = load_library(write_book(tmp_path / "book", entry))
    with pytest.raises(SiteError, match=r"en: raise-the-limit/index\.html shows '\{: \.fb-by \}'"):
        build_site(library, tmp_path / "site")
