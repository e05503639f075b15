"""Articles and pages say what was seen, and never more than was seen."""

from __future__ import annotations

import copy
import json
import re
from typing import TYPE_CHECKING

import pytest

from fixbook.article.compose import compose_article
from fixbook.article.markdown import as_markdown
from fixbook.text import LANGS
from generator.pages.article import article, downloads, evidence_of_entry, exported
from generator.pages.claims import claims_page
from generator.pages.evidence import evidence_page
from generator.pages.navigation import pages
from generator.text.guard import as_text
from generator.view.edition import Edition
from generator.view.library import load_library
from generator.view.tables import Bars
from tests.site.small_book import write_book, write_evidence
from tests.site.small_entry import ENTRY, SLUG

if TYPE_CHECKING:
    from pathlib import Path

    from fixbook.text import Lang
    from generator.view.library import Library

ORDER = ["fix", "symptom", "detect", "why", "fixes", "non-fixes", "silent-twin", "more"]


def text_of(library: Library, lang: Lang = "en") -> str:
    return as_text(article(Edition(library, lang).views[SLUG], library).text)


def evidence_text(library: Library, lang: Lang = "en") -> str:
    return as_text(evidence_of_entry(Edition(library, lang).views[SLUG], library).text)


def export_text(library: Library, lang: Lang = "en") -> str:
    return as_text(exported(Edition(library, lang).views[SLUG]))


def folded(text: str, anchor: str) -> str:
    """Return what is folded away under an id, with its summary."""
    start = re.search(rf'<details class="fb-more" id="{anchor}"', text)
    assert start, anchor
    return text[start.start() :].partition("</details>")[0]


def section(text: str, anchor: str) -> str:
    """Return what stands under a heading, up to the next heading of its level or above."""
    start = re.search(rf"(?m)^(#+) .*\{{: #{anchor} \}}$", text)
    assert start, anchor
    rest = text[start.end() :]
    after = re.search(rf"(?m)^#{{1,{len(start[1])}}} ", rest)
    return rest[: after.start()] if after else rest


def anchors(text: str) -> list[str]:
    return re.findall(r"(?m)^#+ .*\{: #([\w-]+) \}$", text)


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


def test_a_step_that_has_not_run_is_never_passed(library: Library) -> None:
    text, evidence = text_of(library), evidence_text(library)
    for name in ("limit-raised-on-a-gpu", "another-box"):
        seen = section(evidence, f"step-{name}")
        assert "Not yet run on a GPU" in seen
        assert "✓" not in seen
    assert "○ Not yet run on a GPU" in folded(text, "fix-other-box")
    assert "✓" not in folded(text, "fix-other-box")
    assert "Failure run on a CPU" in text
    assert "GPU not yet run" in text


def test_an_article_says_what_was_partly_simulated(tmp_path: Path) -> None:
    entry = copy.deepcopy(ENTRY)
    entry["claims"][0]["steps"] = ["limit-raised"]
    library = load_library(write_book(tmp_path, entry))
    text = text_of(library)
    assert "✓ Ran clean, partly simulated" in section(text, "fix")
    assert "✓ Proven by running it, partly simulated" in section(text, "why")
    assert text.count("partly simulated") == 2
    del entry["steps"]["limit-raised"]["simulated"]
    assert "partly simulated" not in text_of(load_library(write_book(tmp_path / "real", entry)))
    entry["steps"]["it-overflows"]["simulated"] = {"zh": "假的。", "en": "A stand-in."}
    text = text_of(load_library(write_book(tmp_path / "failure", entry)))
    assert text.count("partly simulated") == 1
    assert "✓ Failure run on a CPU, partly simulated" in text


def test_why_a_step_is_recorded_once_is_said(tmp_path: Path) -> None:
    root = write_book(tmp_path)
    recipe = root / "recipes" / SLUG / "recipe.py"
    text = recipe.read_text("utf-8")
    line = next(line for line in text.splitlines() if line.startswith("@fix("))
    once = line.replace(")", ', record_once="takes an hour")')
    recipe.write_text(text.replace(line, once, 1), "utf-8")
    library = load_library(root)
    assert "Recorded once, not on every run: takes an hour" in evidence_text(library)
    assert "只记录一次，不必每次都跑：“takes an hour”" in evidence_text(library, "zh")


def test_without_evidence_nothing_is_passed(tmp_path: Path) -> None:
    library = load_library(write_book(tmp_path, evidence=False), draft=True)
    for page in pages(Edition(library, "en")):
        claimed = page.text.replace("✓ Proven by running it", "").replace("✓ Confirmed", "")
        assert "✓" not in claimed, page.path
        assert "Did not help" not in claimed, page.path
    assert "○ Not run" in text_of(library)


def test_stale_evidence_is_shown_as_stale(tmp_path: Path) -> None:
    root = write_book(tmp_path)
    write_evidence(root / "recipes" / SLUG, digest="0" * 16)
    library = load_library(root)
    seen = section(evidence_text(library), "step-fits")
    assert "↻ Evidence is stale" in seen
    assert "✓" not in seen
    assert "what it runs, reads or claims has changed" in seen
    assert "Evidence is stale" in evidence_page(Edition(library, "en")).text


def test_a_non_fix_is_shown_as_seen_not_to_help(library: Library) -> None:
    seen = folded(text_of(library), "non-fix-shake-it")
    assert "Shake it <span" in seen.splitlines()[1]
    assert "✗ Did not help" in seen.splitlines()[1]
    assert "[widgets#1](https://example.org/1)" in seen


def test_a_step_shows_its_code_output_and_measures(library: Library) -> None:
    text = evidence_text(library)
    seen = section(text, "step-it-overflows")
    assert "fixbook run raise-the-limit --step it-overflows" in seen
    assert "def it_overflows() -> None:" in seen
    assert "@reproduce" not in seen
    assert "widget 7 overflowed its box" in seen
    assert "2 ranks" in seen
    raised = section(text, "step-limit-raised")
    assert "| 2,048 | no |" in raised
    assert "**Simulated**: The box is a stand-in." in raised
    assert "widgets==2.0" in raised


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


def test_versions_name_what_ran_and_what_did_not(library: Library) -> None:
    seen = folded(text_of(library), "versions")
    assert "| `cpu` | widgets 3.0 | all other steps |" in seen
    assert "| `cpu` | widgets 2.0, boxes 1.1, lids 0.3, clips 5.0 | After raising it |" in seen
    assert "click" not in seen, "no step has run on it"
    assert "**widgets 0.9**: Does not install." in seen
    assert "| widgets | — | — | `2.0` |" in seen


def test_the_head_names_the_releases_that_steps_ran_on(tmp_path: Path) -> None:
    def head(library: Library) -> str:
        return text_of(library).partition("{: .fb-status")[0].rpartition("fb-badge")[2]

    root = write_book(tmp_path)
    assert ">widgets 3.0 and 1 earlier</span>" in head(load_library(root))
    path = root / "recipes" / SLUG / "evidence/cpu.json"
    data = json.loads(path.read_text("utf-8"))
    for name in ("it-overflows", "shaken"):
        data["steps"][name]["overlay"] = ["widgets==1.5"]
    path.write_text(json.dumps(data), "utf-8")
    assert ">widgets 2.0 and 1 earlier</span>" in head(load_library(root)), "3.0 is only installed"
    for step in data["steps"].values():
        step |= {"versions": {}, "overlay": []}
    path.write_text(json.dumps(data), "utf-8")
    assert "widgets" not in head(load_library(root))


def test_advice_that_nothing_ran_is_not_said_to_be_refuted(tmp_path: Path) -> None:
    root = write_book(tmp_path)
    seen = text_of(load_library(root))
    assert "#untried" not in seen
    path = root / "recipes" / SLUG / "evidence/cpu.json"
    data = json.loads(path.read_text("utf-8"))
    data["steps"]["shaken"] |= {"verdict": "skipped", "reason": "needs 1 NVIDIA GPU"}
    path.write_text(json.dumps(data), "utf-8")
    library = load_library(root)
    assert "non-fixes" not in anchors(text_of(library))
    assert "Shake it" in section(text_of(library), "untried")
    assert "## Advice that has not been run yet\n" in export_text(library)
    shown = as_markdown(compose_article(library.book.get(SLUG), library.book, "en"), "en")
    assert "## Advice that does not help" not in shown
    assert "## Advice that has not been run yet" in shown


def test_claims_link_to_their_answer(library: Library) -> None:
    text = claims_page(Edition(library, "en")).text
    assert "Boxes explained" in text
    for anchor in ("fix-raise-limit", "non-fix-shake-it", "why", "detect"):
        assert f"({SLUG}/index.md#{anchor})" in text
    assert "| 1 | 1 | 1 | 1 |" in text


def test_the_evidence_pages_list_every_step(library: Library) -> None:
    text = evidence_page(Edition(library, "en")).text
    assert f"({SLUG}/evidence/index.md)" in text
    assert "5/7 executed" in text
    assert "2 steps that need a GPU" in text
    for name in library.dossiers[SLUG].outline.steps:
        assert section(evidence_text(library), f"step-{name}")


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
