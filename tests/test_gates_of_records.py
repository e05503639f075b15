"""Gates on evidence: it is as a run wrote it, belongs to what is in the book, and still holds."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from tests.conftest import RECIPE, both
from tests.gating import found, recorded

if TYPE_CHECKING:
    from collections.abc import Callable

    from fixbook.book import Book

    MakeBook = Callable[..., Book]


def test_records_are_judged_again(make_book: MakeBook, entry: dict[str, Any]) -> None:
    book = recorded(make_book(entry))
    assert found(book, "records") == ""
    steps = entry["steps"]
    steps["mended"]["expect"]["size"] = "<= 2"
    assert "step mended: would not pass: size is 3, expected <= 2" in found(
        make_book(entry), "records"
    )
    steps["mended"]["expect"]["size"] = "<= 3"
    steps["mended-widget"]["expect"]["size"] = "== 3"
    steps["shaken"]["in_force"] = {"size": "== 9"}
    assert "the advice is in force in its control 'it-breaks' too" in found(
        make_book(entry), "records"
    )
    steps["shaken"]["in_force"] = {"shaken": "== true"}
    wider = make_book(entry, RECIPE.replace('"found": not mended', '"found": True'))
    assert found(wider, "records") == "", "what runs now is the question of freshness"


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("measures", {"size": 2}),
        ("log", "nothing"),
        ("digest", "0123456789abcdef"),
        ("verdict", "skipped"),
        ("seal", ""),
        (
            "machine",
            {"name": "cpu", "cpu": "", "cores": 1, "memory_gib": 1, "os": "", "python": ""},
        ),
    ],
)
def test_a_record_that_was_edited_is_named(good: Book, field: str, value: object) -> None:
    path = good.root / "recipes/widget-overflow/evidence/cpu.json"
    data = json.loads(path.read_text("utf-8"))
    data["steps"]["mended"][field] = value
    path.write_text(json.dumps(data), "utf-8")
    assert found(good, "records").count("is not as a run has recorded it") == 1


def test_evidence_of_something_else_is_named(good: Book) -> None:
    folder = good.root / "recipes/widget-overflow/evidence"
    for ending in (".json", ".runs.json"):
        (folder / f"cpu{ending}").rename(folder / f"h100{ending}")
    assert "is the evidence of the machine 'cpu'" in found(good, "records")
    path = folder / "h100.json"
    path.write_text(path.read_text("utf-8").replace('"widget-overflow"', '"other"'), "utf-8")
    assert "is the evidence of 'other'" in found(good, "records")


def test_stale_evidence(good: Book, make_book: MakeBook, entry: dict[str, Any]) -> None:
    assert found(good, "freshness") == ""
    changed = "what it runs, reads or claims has changed"
    other = RECIPE.replace('"found": not mended', '"found": mended is False')
    assert found(make_book(recipe=other), "freshness").count(changed) == 2
    entry["steps"]["mended"]["expect"]["size"] = "<= 4"
    assert f"step mended: {changed}" in found(make_book(entry), "freshness")
    path = good.root / "recipes/widget-overflow/evidence/cpu.json"
    whole = path.read_text()
    path.write_text(whole.replace('"mended": {', '"other": {'))
    assert "step mended: is not recorded" in found(make_book(), "freshness")
    path.write_text(whole.replace('"verdict": "passed"', '"verdict": "skipped"', 1))
    assert "step it-breaks: was skipped" in found(make_book(), "freshness")
    path.unlink()
    assert "is missing" in found(make_book(), "freshness")


def test_prose_does_not_make_evidence_stale(
    good: Book, make_book: MakeBook, entry: dict[str, Any]
) -> None:
    assert good
    entry["cause"] = both("Better words.")
    recipe = RECIPE.replace("def mended():", "def mended():\n    # why") + "\n# more\n"
    assert found(make_book(entry, recipe), "freshness") == ""


def test_a_record_of_a_step_that_the_entry_says_nothing_of_is_not_judged(
    make_book: MakeBook, entry: dict[str, Any]
) -> None:
    recorded(make_book(entry))
    del entry["steps"]["shaken"]
    entry["steps"]["mended"]["expect"]["size"] = "<= 2"
    said = found(make_book(entry), "records")
    assert "step mended: would not pass" in said
    assert "step shaken" not in said


def test_a_record_of_a_step_that_is_gone_hides_none_behind_it(
    make_book: MakeBook, entry: dict[str, Any]
) -> None:
    recorded(make_book(entry))
    entry["steps"]["shaken"]["fails"]["log"] = "what no run prints"
    gone = RECIPE.replace("def it_breaks(", "def it_was_renamed(").replace(
        "it-breaks", "it-was-renamed"
    )
    assert "step shaken: would not pass" in found(make_book(entry, gone), "records")


def test_a_record_that_was_skipped_is_not_judged(
    make_book: MakeBook, entry: dict[str, Any]
) -> None:
    recipe = RECIPE.replace("def mended():\n", "def mended():\n    skip('no widget here')\n")
    book = recorded(make_book(entry, "from fixbook.recipe import skip\n" + recipe))
    assert "mended" not in found(book, "records")
