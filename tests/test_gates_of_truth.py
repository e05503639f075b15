"""What a page says was run, printed, and stands in both languages."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from fixbook.book import load_book
from fixbook.gates.quotes import stands_in
from tests.conftest import RECIPE, both
from tests.gating import found, recorded

if TYPE_CHECKING:
    from collections.abc import Callable

    from fixbook.book import Book

    MakeBook = Callable[..., Book]


def test_a_snippet_runs_as_printed(make_book: MakeBook, entry: dict[str, Any]) -> None:
    assert "snippet 'detect' is never run" in found(make_book(entry), "executed")
    assert found(recorded(make_book(entry)), "executed") == ""
    entry["snippets"]["detect"]["code"] = "print(2)\n"
    assert "snippet 'detect' has changed since it was run" in found(make_book(entry), "executed")
    entry["snippets"]["detect"]["not_executed"] = both("It needs a GPU.")
    assert "is executed, and says it is not" in found(make_book(entry), "executed")


def test_proven_claims_rest_on_steps_that_ran(make_book: MakeBook, entry: dict[str, Any]) -> None:
    entry["claims"][0]["steps"] = ["on-a-gpu"]
    entry["steps"]["on-a-gpu"] = {"title": both("On a GPU"), "fails": {"exit": "any"}}
    recipe = RECIPE + "\n@reproduce(on='cuda>=99')\ndef on_a_gpu():\n    fill()\n"
    book = recorded(make_book(entry, recipe))
    assert "rests on step 'on-a-gpu', which has not run" in found(book, "executed")


def test_code_is_written_once(make_book: MakeBook, entry: dict[str, Any]) -> None:
    entry["symptom"] = both("See:\n\n```python\nprint(1)\n```\n")
    assert "holds a block of python code" in found(make_book(entry), "executed")


def test_quotations_were_printed(make_book: MakeBook, entry: dict[str, Any]) -> None:
    entry["symptom"] = both("See:\n\n```text\nError: widget 3 overflowed\n```\n")
    assert found(make_book(entry), "quotes") == ""
    entry["symptom"] = both("See:\n\n```text\nError: gadget 3 overflowed\n```\n")
    assert "no log prints 'Error: gadget 3 overflowed'" in found(make_book(entry), "quotes")


@pytest.mark.parametrize(
    ("lines", "stands"),
    [
        (["a 1", "c 3"], True),
        (["c 3", "a 1"], False),
        (["… 2", "c …"], True),
        (["a 1", "…", "c 3"], True),
        (["b 3"], False),
    ],
)
def test_lines_stand_in_one_log_in_order(lines: list[str], stands: bool) -> None:  # noqa: FBT001
    assert stands_in(lines, ["a 1", "b 2", "c 3"]) is stands


@pytest.mark.parametrize(
    ("zh", "en", "problem"),
    [
        ("第一句。第二句。", "First. Second.", ""),
        ("用 `a`。", "Use `b`.", "code marks"),
        ("第一句。", "First. Second.", "1 sentences in Chinese, 2 in English"),
        ("第一段。\n\n第二段。", "First.", "paragraphs"),
        ("有 4 个。", "There are 5.", "the figure '4' stands in one language only"),
        ("如 transformers 4.46.3（见下）：", "As in transformers 4.46.3 (e.g. this):", ""),
        ("没有句号", "No full stop", ""),
    ],
)
def test_sentences_figures_and_code_marks(
    make_book: MakeBook, entry: dict[str, Any], zh: str, en: str, problem: str
) -> None:
    entry["symptom"] = {"zh": zh, "en": en}
    text = found(make_book(entry), "parity")
    assert problem in text if problem else text == ""


def test_a_comment_cuts_no_text_off(make_book: MakeBook) -> None:
    book = make_book()
    path = book.root / "recipes/widget-overflow/entry.yaml"
    path.write_text(
        path.read_text("utf-8").replace("en: The run ends.", "en: See issue #7."), "utf-8"
    )
    text = found(load_book(book.root), "cut-off")
    assert "symptom.en is cut off before '#7.'" in text


@pytest.mark.parametrize(
    ("row", "problem"),
    [
        ({"first_fixed": "2"}, ""),
        ({"first_fixed": "3"}, "nothing shows that 3 is free of it"),
        ({"last_good": "0.8", "first_bad": "0.9"}, "the failure was not seen on 0.9"),
        ({"first_fixed": "3", "sure": "read", "reference": "report"}, ""),
    ],
)
def test_bounds_were_executed(
    make_book: MakeBook, entry: dict[str, Any], row: dict[str, str], problem: str
) -> None:
    entry["boundary"] = [{"package": "widgets", **row}]
    book = recorded(make_book(entry))
    path = book.root / "recipes/widget-overflow/evidence/cpu.json"
    evidence = json.loads(path.read_text("utf-8"))
    for name in ("it-breaks", "broken-widget"):
        evidence["steps"][name]["overlay"] = ["widgets==1.0"]
    for name in ("mended", "mended-widget"):
        evidence["steps"][name]["overlay"] = ["widgets==2"]
    path.write_text(json.dumps(evidence), "utf-8")
    text = found(book, "bounds")
    assert problem in text if problem else text == ""


def test_a_step_does_not_read_what_we_wrote(make_book: MakeBook) -> None:
    recipe = RECIPE + "\nLOG = open('logs/one.txt')\n"
    assert "a step whose outcome we wrote is no step" in found(
        make_book(recipe=recipe), "own-words"
    )


def test_the_mechanism_rests_on_a_failing_step(make_book: MakeBook, entry: dict[str, Any]) -> None:
    entry["claims"][0]["steps"] = ["mended"]
    assert "'m' rests on no step that shows the failure" in found(make_book(entry), "executed")
    entry["claims"][0]["steps"] = ["mended", "it-breaks"]
    assert "rests on no step that shows" not in found(make_book(entry), "executed")


def test_advice_circulates_somewhere(make_book: MakeBook, entry: dict[str, Any]) -> None:
    entry["non_fixes"][0]["seen_in"] = []
    assert "nothing shows that 'shake-it' circulates" in found(make_book(entry), "links")


def test_titles_fit_a_line(make_book: MakeBook, entry: dict[str, Any]) -> None:
    entry["title"] = {"zh": "长" * 46, "en": "x" * 70}
    assert "title.zh has 46 characters, at most 45 are allowed" in found(make_book(entry), "titles")
    entry["title"] = {"zh": "长" * 45, "en": "x" * 71}
    assert "title.en has 71 characters" in found(make_book(entry), "titles")


def test_a_summary_fits_below_a_title(make_book: MakeBook, entry: dict[str, Any]) -> None:
    entry["summary"] = {"zh": "长" * 300, "en": "x" * 301}
    assert found(make_book(entry), "titles").count("summary.") == 1
    assert "summary.en has 301 characters" in found(make_book(entry), "titles")
