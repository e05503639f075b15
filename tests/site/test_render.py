"""Articles and pages say what was seen, and never more than was seen."""

from __future__ import annotations

import copy
import re
from typing import TYPE_CHECKING

import pytest

from fixbook.text import LANGS
from generator.pages.article import article, downloads
from generator.pages.claims import claims_page
from generator.view.edition import Edition
from generator.view.library import load_library
from generator.view.tables import Bars
from tests.site.pages_of import anchors, evidence_text, export_text, folded, section, text_of
from tests.site.small_book import write_book
from tests.site.small_entry import ENTRY, SLUG

if TYPE_CHECKING:
    from pathlib import Path

    from fixbook.text import Lang
    from generator.view.library import Library

ORDER = ["fix", "symptom", "detect", "why", "fixes", "non-fixes", "silent-twin", "more"]


@pytest.mark.parametrize("lang", LANGS)
def test_an_article_has_its_sections_in_order(library: Library, lang: Lang) -> None:
    found = [name for name in anchors(text_of(library, lang)) if name in ORDER]
    assert found == ORDER


def test_both_languages_share_their_anchors(library: Library) -> None:
    assert anchors(text_of(library, "zh")) == anchors(text_of(library, "en"))


def test_both_languages_share_their_code(library: Library) -> None:
    texts = [text_of(library, lang) + evidence_text(library, lang) for lang in LANGS]
    fences = [re.findall(r"(?ms)^`{3,} \{ \.python.*?^`{3,}$", text) for text in texts]
    assert fences[0] == fences[1]
    assert len(fences[0]) >= 7


def test_the_error_is_quoted_around_the_line_that_decides(library: Library) -> None:
    seen = section(text_of(library), "symptom")
    assert "widget 3 overflowed its box" in seen
    assert "step 20" not in seen
    assert "hl_lines" in seen


@pytest.mark.parametrize(
    "quoted", ["Error: widget 3 overflowed its box", "…r: widget 3 overflowed…"]
)
def test_an_error_that_the_text_quotes_is_not_quoted_twice(tmp_path: Path, quoted: str) -> None:
    entry = copy.deepcopy(ENTRY)
    entry["symptom"]["en"] = f"It says:\n\n```text\n{quoted}\n```"
    library = load_library(write_book(tmp_path, entry))
    seen = section(text_of(library), "symptom")
    assert seen.count("widget 3 overflowed") == 1


def test_a_configuration_shows_its_changed_lines_first(library: Library) -> None:
    seen = section(text_of(library), "fix")
    change, _, whole = seen.partition('    ??? fb-more "The whole file"')
    assert "    ``` { .diff }\n     name: box\n    -limit: 4\n    +limit: 8\n" in change
    assert "Take out" not in seen
    assert "\n        limit: 8" in whole
    assert 'hl_lines="2"' in whole
    assert "(configs/after.yaml)" in seen
    offered = [one.path for one in downloads(library.dossiers[SLUG])]
    assert offered[:2] == [f"{SLUG}/configs/before.yaml", f"{SLUG}/configs/after.yaml"]
    assert seen.count('=== "') == 2  # the tool, and the snippet to paste


def test_a_setting_of_several_tools_has_a_tab_for_each(library: Library) -> None:
    seen = folded(text_of(library), "fix-other-box")
    first, _, second = seen.partition('\n=== "gadgets"\n')
    assert '\n=== "axolotl"\n' in first
    assert "\n        name: axolotl\n\n        limit: 16\n" in first
    assert "[download larger.yaml](tools/axolotl/larger.yaml)" in first
    assert "accepted by `validate_config` and `fixbook check`" in first
    assert '\n    ??? fb-more "The whole file"\n' in second
    assert "accepted" not in second  # nobody could be asked


def test_an_export_says_whose_file_it_is(library: Library) -> None:
    text = export_text(library)
    change, whole = " name: box\n-limit: 4\n+limit: 8\n", "name: box\nlimit: 8\n"
    wanted = f"```diff\n{change}```\n\nThe whole file: \n\n```yaml\n{whole}```\n"
    assert f"\nwidgets 2.0: \n\n{wanted}" in text
    assert "\ngadgets 2.0: \n\n```diff\n" in text
    assert "\n```yaml\nname: gadgets\n\nlimit: 16\n```\n" in text
    assert "\nTrade-off: none\n" in text


def test_one_measure_of_several_steps_is_drawn_with_its_label() -> None:
    seen = Bars("Peak <GiB>", (("a", 1.0, "1 GiB"), ("b", 4.0, "4 GiB"))).html
    assert "Peak &lt;GiB&gt;" in seen
    assert 'width="25.0%"' in seen


def test_claims_link_to_their_answer(library: Library) -> None:
    text = claims_page(Edition(library, "en")).text
    assert "Boxes explained" in text
    for anchor in ("fix-raise-limit", "non-fix-shake-it", "why", "detect"):
        assert f"({SLUG}/index.md#{anchor})" in text
    assert "| 1 | 1 | 1 | 1 |" in text


def test_an_export_is_plain(library: Library) -> None:
    text = export_text(library)
    prose = re.sub(r"(?ms)^ *(`{3,})[^`]*?$.*?^ *\1$", "", text)
    for sign in ("{:", "<span", "<div", "???", "==="):
        assert sign not in prose
    assert "```python\n" in text
    assert "](evidence/)" in text
    assert text.startswith("# A widget outgrows its box")


def test_no_page_shows_the_name_of_a_step(library: Library) -> None:
    prose = re.sub(r"(?ms)^ *(`{3,}).*?^ *\1$|\(evidence/[^)]*\)", "", text_of(library))
    assert [name for name in library.dossiers[SLUG].outline.steps if name in prose] == []


def test_the_real_book_renders_alike_in_both_languages(real_library: Library) -> None:
    editions = [Edition(real_library, lang) for lang in LANGS]
    for dossier in real_library.dossiers.values():
        views = [edition.views[dossier.slug] for edition in editions]
        zh, en = (article(view, real_library).text for view in views)
        assert anchors(zh) == anchors(en), dossier.slug
        entry = dossier.entry
        optional: dict[str, object] = {
            "non-fixes": views[0].non_fixes,
            "silent-twin": entry.silent_twin,
        }
        optional |= {"fixes": entry.fixes[1:]}
        assert [name for name in anchors(en) if name in ORDER] == [
            name for name in ORDER if optional.get(name, True)
        ]
