"""Every gate finds what it is for, and says how to mend it."""

from __future__ import annotations

import importlib.util
from typing import TYPE_CHECKING, Any

import pytest

from fixbook.gates import GATES
from fixbook.gates.one_entry import WRITTEN, problems_of
from fixbook.gates.reading import Reading
from tests.conftest import RECIPE, both
from tests.gating import found, recorded

if TYPE_CHECKING:
    from collections.abc import Callable

    from fixbook.book import Book

    MakeBook = Callable[..., Book]

SYMPTOM = {
    "title": both("overflow"),
    "summary": both("Overflow."),
    "patterns": ["general overflow"],
    "text": both("Overflow."),
}


def test_a_good_book_passes_every_gate(good: Book) -> None:
    assert {name: found(good, name) for name in GATES} == dict.fromkeys(GATES, "")


def test_proof_needs_a_fix_on_a_cpu(make_book: MakeBook) -> None:
    book = make_book(recipe=RECIPE.replace('@fix("mend-it",', '@fix("mend-it", on="cuda",'))
    assert "shows no fix on a CPU" in found(book, "proof")


def test_exemptions_are_checked_both_ways(make_book: MakeBook) -> None:
    book = make_book()
    (book.root / "exempt-from-proof.txt").write_text("widget-overflow\nno-entry\n")
    text = found(book, "proof")
    assert "exempts 'widget-overflow' without need" in text
    assert "exempts 'no-entry', which is no entry" in text
    assert "is not sorted" in text


def test_steps_and_advice_match_the_recipe(make_book: MakeBook, entry: dict[str, Any]) -> None:
    entry["steps"]["ghost"] = {"title": both("ghost")}
    del entry["steps"]["shaken"]
    entry["fixes"].append({**entry["fixes"][0], "id": "unproven"})
    text = found(make_book(entry), "proof")
    assert "step 'ghost' is not in recipe.py" in text
    assert "step 'shaken' is not in the entry" in text
    assert "'unproven' is not executed by any step" in text


def test_detect_is_measured_both_ways(make_book: MakeBook) -> None:
    recipe = RECIPE.replace("@detect(found=False,", "@detect(found=True,")
    assert "see only one side" in found(make_book(recipe=recipe), "proof")


def test_links_lead_somewhere(make_book: MakeBook, entry: dict[str, Any]) -> None:
    entry["symptoms"] = [{"id": "ghost", "ask": both("Is it?")}]
    entry["non_fixes"][0]["seen_in"] = ["nowhere"]
    entry["said"] = [
        {
            "source": "ghost",
            "said": both("a"),
            "verdict": "wrong",
            "found": both("b"),
            "see": "fix:no",
        }
    ]
    entry["silent_twin"]["steps"] = ["no-step"]
    entry["logs"].append({"file": "logs/nowhere.txt", "source": "report"})
    book = make_book(entry)
    (book.root / "recipes/widget-overflow/logs/nowhere.txt").unlink()
    (book.root / "recipes/widget-overflow/logs/stray.txt").write_text("x")
    text = found(book, "links")
    for part in ("known symptom", "known reference", "known source", "known part", "known step"):
        assert part in text
    assert "'logs/nowhere.txt' is not a file of this entry" in text
    assert "stray.txt: is named nowhere" in text


@pytest.mark.parametrize(
    ("title", "problem"),
    [
        ("torch 17: it overflows", ""),
        ("torch 71: it overflows", "is called 71, and its address leads to 17"),
        ("torch #71: it overflows", "is called 71, and its address leads to 17"),
        ("It overflows with 71 heads: why?", ""),
    ],
)
def test_an_issue_has_the_number_of_its_address(
    make_book: MakeBook, entry: dict[str, Any], title: str, problem: str
) -> None:
    address = "https://github.com/pytorch/pytorch/issues/17"
    entry["references"][0] |= {"title": title, "url": address}
    assert problem in (said := found(make_book(entry), "links"))
    assert bool(said) is bool(problem)


def test_a_short_text_may_not_stay_english(make_book: MakeBook, entry: dict[str, Any]) -> None:
    entry["fixes"][0]["title"] = {"zh": "grow both tables at once", "en": "Grow both at once"}
    assert "the Chinese text is not Chinese" in found(make_book(entry), "parity")
    entry["fixes"][0]["title"] = {"zh": "`grow both tables at once`", "en": "`grow both`"}
    assert "not Chinese" not in found(make_book(entry), "parity")


def test_a_snippet_is_shown_once(make_book: MakeBook, entry: dict[str, Any]) -> None:
    assert "shown twice" not in found(make_book(entry), "links")
    for lang, text in entry["detect"]["text"].items():
        entry["detect"]["text"][lang] = f"{text}\n\n{{{{snippet:detect}}}}"
    assert "snippet 'detect' is shown twice" in found(make_book(entry), "links")
    del entry["detect"]["snippet"]
    assert "shown twice" not in found(make_book(entry), "links")


@pytest.mark.parametrize(
    ("zh", "en", "part"),
    [
        ("做：\n```sh\na\n```\n", "Do:\n```sh\nb\n```\n", "code blocks"),
        ("见[这里](https://a.org)。", "See [here](https://b.org).", "links"),
        ("是 {{a.b}}。", "It is {{a.c}}.", "measures"),
        ("- 一\n- 二", "- one", "list items"),
        ("只有一句。", "One sentence 中文.", "holds Chinese"),
        (
            "this is a long sentence that was never written in that other language at all, was it",
            "This.",
            "not Chinese",
        ),
    ],
)
def test_languages_carry_the_same(
    make_book: MakeBook, entry: dict[str, Any], zh: str, en: str, part: str
) -> None:
    entry["symptom"] = {"zh": zh, "en": en}
    text = found(make_book(entry), "parity")
    assert part in text
    assert "symptom" in text


@pytest.mark.parametrize(
    ("text", "typed"),
    [
        ("It saves 40 % of the memory.", True),
        ("占用 12.5 GiB 显存。", True),
        ("It is 3.2× faster.", True),
        ("It takes 20 seconds.", True),
        ("The report says “<40 GB”.", False),
        ("报告里写的是「70GB+」。", False),
        ("Set `--shm-size=8 GB`.", False),
        ("It saves {{mended.size|percent}}.", False),
        ("Use 2 ranks and transformers 4.46.3.", False),
        ("```text\ntook 40 s\n```", False),
    ],
)
def test_typed_figures(make_book: MakeBook, entry: dict[str, Any], text: str, typed: bool) -> None:  # noqa: FBT001
    entry["cause"] = {"zh": text, "en": text}
    assert ("is typed into the text" in found(make_book(entry), "figures")) is typed


def test_claims_need_evidence(make_book: MakeBook, entry: dict[str, Any]) -> None:
    assert "has no evidence" in found(make_book(entry), "measures")
    book = recorded(make_book(entry))
    assert found(book, "measures") == ""
    entry["cause"] = both("{{broken-widget.weight}} and {{broken-widget.size|bogus}}")
    text = found(make_book(entry), "measures")
    assert "did not measure 'weight'" in text
    assert "'bogus' is no format" in text


def test_patterns_are_re2(make_book: MakeBook, entry: dict[str, Any]) -> None:
    number = {"matches": "^(?!8)"}
    case = {"says": both("seven"), "captures": {"number": number}}
    entry["fixes"][0]["when"] = [case]
    assert "is not RE2" in found(make_book(entry), "patterns")
    number["matches"] = "^7$"
    assert found(make_book(entry), "patterns") == ""
    del entry["fixes"][0]["when"]
    entry["signatures"][0]["pattern"] = r"(?=widget) \d+ overflowed"
    assert "is not RE2" in found(make_book(entry), "patterns")


def test_patterns_do_not_pass_unchecked(good: Book, monkeypatch: pytest.MonkeyPatch) -> None:
    assert found(good, "patterns") == ""
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: None)
    said = found(good, "patterns")
    assert "re2 is not installed" in said
    assert "pip install google-re2" in said
    (good.root / "index.json").write_text("{}")
    assert found(good, "patterns") == "", "a wheel's book was checked where the wheel was made"


def test_own_logs_are_recognised(good: Book, make_book: MakeBook, entry: dict[str, Any]) -> None:
    assert found(good, "own-logs") == ""
    entry["signatures"][0]["pattern"] = r"widget 3 overflowed$"
    text = found(make_book(entry), "own-logs")
    assert "step it-breaks is recognised as nothing" in text.replace(":", "")


def test_signature_that_hits_another_entry(
    good: Book, make_book: MakeBook, entry: dict[str, Any]
) -> None:
    assert good
    greedy = {**entry, "signatures": [{"id": "greedy", "pattern": r"Error: widget"}]}
    text = found(make_book(greedy, slug="other-entry"), "other-logs")
    assert "'greedy' of 'other-entry' hits line 2" in text
    assert "declare overlaps: [widget-overflow]" in text
    greedy["signatures"][0]["overlaps"] = ["widget-overflow"]
    entry["signatures"][0]["overlaps"] = ["other-entry"]
    make_book(entry)
    assert found(make_book(greedy, slug="other-entry"), "other-logs") == ""


def test_signature_that_hits_a_clean_run(make_book: MakeBook, entry: dict[str, Any]) -> None:
    recipe = RECIPE.replace("return fill(m", "print('all widgets fine'); return fill(m")
    recorded(make_book(entry, recipe))
    entry["signatures"].append({"id": "careless", "pattern": "widget"})
    assert "is a clean run, yet 'widget-overflow'" in found(make_book(entry, recipe), "other-logs")


def test_slugs_are_listed_and_kept(make_book: MakeBook) -> None:
    book = make_book()
    (book.root / "slugs.txt").write_text("gone-entry\n")
    text = found(book, "slugs")
    assert "does not list 'widget-overflow'" in text
    assert "'gone-entry', which has no entry" in text


def test_nothing_of_the_machine(make_book: MakeBook) -> None:
    book = make_book(recipe=RECIPE + '\nX = "/home/somebody/data"\n')
    assert "holds the path '/home/somebody/'" in found(book, "tidy")


def test_nothing_unfinished(make_book: MakeBook) -> None:
    assert "is not filled in" in found(make_book(recipe=RECIPE + "\n# TODO\n"), "unfinished")


def test_a_syntax_error_is_told_once(make_book: MakeBook) -> None:
    book = make_book(recipe="def f(:\n")
    slug = next(iter(book.entries))
    told = [problem for _gate, problem in problems_of(Reading(book), slug, WRITTEN)]
    assert sum("is not valid Python" in str(problem.what) for problem in told) == 1
