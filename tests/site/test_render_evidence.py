"""What pages say of runs: passed, stale, simulated, never run, and on which releases."""

from __future__ import annotations

import copy
import datetime as dt
import json
from typing import TYPE_CHECKING

from fixbook.article.compose import compose_article
from fixbook.article.markdown import as_markdown
from generator.pages.evidence import evidence_page
from generator.pages.navigation import pages
from generator.view.edition import Edition
from generator.view.library import load_library
from generator.view.status import is_old
from tests.site.small_book import write_book, write_evidence
from tests.site.small_entry import ENTRY, SLUG

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

    from generator.view.library import Library

from tests.site.pages_of import anchors, evidence_text, export_text, folded, section, text_of


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


def test_the_evidence_pages_list_every_step(library: Library) -> None:
    text = evidence_page(Edition(library, "en")).text
    assert f"({SLUG}/evidence/index.md)" in text
    assert "5/7 executed" in text
    assert "2 steps that need a GPU" in text
    for name in library.dossiers[SLUG].outline.steps:
        assert section(evidence_text(library), f"step-{name}")


def test_evidence_older_than_ninety_days_is_marked(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Counted from the day of the record to that of the build, whichever it is."""
    asked: list[str] = []

    def built_after(days: int) -> bool:
        def old(day: str) -> bool:
            asked.append(day)
            return is_old(day, dt.date.fromisoformat(day) + dt.timedelta(days))

        monkeypatch.setattr("generator.view.article.is_old", old)
        return "evidence over 90 days old" in text_of(library)

    assert not built_after(0)
    assert not built_after(90)
    assert built_after(91)
    assert len(set(asked)) == 1
    assert is_old("2026-08-25", dt.date(2026, 11, 24))
    assert not is_old("2026-08-26", dt.date(2026, 11, 24))
