"""A step is judged beside its control, and differs from it in one thing."""

from __future__ import annotations

from threading import Event
from typing import TYPE_CHECKING, Any

import pytest

from fixbook.gates import GATES
from fixbook.gates.reading import Reading
from fixbook.index.build import index_of
from fixbook.recipe.reading.difference import differences
from fixbook.recipe.reading.outline import read_outline
from fixbook.recipe.record.control import judge_beside_controls
from fixbook.recipe.running.jobs import run_jobs
from fixbook.recipe.running.schedule import Job
from tests.conftest import RECIPE, both

if TYPE_CHECKING:
    from collections.abc import Callable

    from fixbook.book import Book
    from fixbook.recipe.record.result import Verdict

    MakeBook = Callable[..., Book]

BESIDE_THE_MEASUREMENT = RECIPE.replace(
    'control="it-breaks")\ndef mended', 'control="broken-widget")\ndef mended'
)


def verdicts(book: Book, *names: str) -> dict[str, Verdict]:
    item = book.get("widget-overflow")
    steps = read_outline(item.recipe).steps
    jobs = [Job(item, steps[name]) for name in names]
    ran = (result for _, result in run_jobs(jobs, index_of(book), Event()))
    return {one.step.name: one.verdict for one in judge_beside_controls(ran, {item.slug: item})}


def test_a_fix_whose_control_passes_is_rejected(make_book: MakeBook, entry: dict[str, Any]) -> None:
    """The control measures what the fix claims: it would have held without the fix."""
    recipe = RECIPE.replace(
        'control="it-breaks")\ndef mended', 'control="broken-widget")\ndef mended'
    )
    entry["steps"]["mended"]["expect"] = {"size": "< 10"}
    found = verdicts(make_book(entry, recipe), "mended", "broken-widget")
    assert found["mended"].status == "failed"
    assert "does not discriminate" in found["mended"].reason


def test_a_control_that_violates_the_claims_discriminates(
    make_book: MakeBook, entry: dict[str, Any]
) -> None:
    recipe = RECIPE.replace(
        'control="it-breaks")\ndef mended', 'control="broken-widget")\ndef mended'
    )
    assert (
        verdicts(make_book(entry, recipe), "mended", "broken-widget")["mended"].status == "passed"
    )


def test_a_control_that_does_not_show_the_failure(make_book: MakeBook) -> None:
    recipe = RECIPE.replace("    fill()\n", "    fill(mended=True)\n", 1)
    found = verdicts(make_book(recipe=recipe), "mended", "it-breaks")
    assert "its control 'it-breaks' did not show what the entry says" in found["mended"].reason


def test_a_control_that_has_never_run(make_book: MakeBook) -> None:
    found = verdicts(make_book(), "mended")["mended"]
    assert (found.status, found.reason) == ("skipped", "its control 'it-breaks' has not run here")


def test_advice_that_is_in_force_everywhere_was_not_tried(
    make_book: MakeBook, entry: dict[str, Any]
) -> None:
    entry["steps"]["shaken"]["in_force"] = {"size": "== 9"}
    found = verdicts(make_book(entry), "shaken", "it-breaks")["shaken"]
    assert found.status == "failed"
    assert "in force in its control 'it-breaks' too" in found.reason


def test_both_sides_of_a_detect(make_book: MakeBook) -> None:
    recipe = RECIPE.replace("look(mended=True)", "look(mended=2)")
    assert (
        verdicts(make_book(recipe=recipe), "mended-widget", "broken-widget")["mended-widget"].status
        == "passed"
    )


@pytest.mark.parametrize(
    ("mine", "other", "found"),
    [
        ("return f(a=1, b=True)", "f(a=1)", ["b=True"]),
        ("f(a=1)", "f(a=1, b=True)", ["without b=True"]),
        ("f(g(x=2))", "f(g(x=1))", ["x=2"]),
        ("'''Why.'''\n    f(1)", "f(1)", []),
        ("f(a=1, b=True)", "f(a=2)", ["a=1", "b=True"]),
        ("g(1)", "f(1)", ["g(1)", "without f(1)"]),
        ("x = 2\n    f(x)", "x = 1\n    f(x)", ["2"]),
        ("prepare()\n    f(1)", "f(2)", ["prepare()", "f(1)", "without f(2)"]),
    ],
)
def test_differences_of_bodies(
    make_book: MakeBook, mine: str, other: str, found: list[str]
) -> None:
    recipe = (
        f"@fix('a', control='two')\ndef one():\n    {mine}\n@reproduce()\ndef two():\n    {other}\n"
    )
    outline = read_outline(make_book(recipe=recipe).get("widget-overflow").recipe)
    assert differences(outline, "one", "two") == found


@pytest.mark.parametrize(
    ("mine", "other", "found"),
    [
        ("versions=['a==2', 'b==1']", "versions=['a==1', 'b==1']", ["a==2"]),
        ("env={'A': '1'}", "", ["A=1"]),
        ("ranks=1", "ranks=2", ["ranks=1"]),
        ("", "versions=['a==1']", ["without a==1"]),
        ("env={'A': '1'}, versions=['a==2']", "versions=['a==1']", ["a==2", "A=1"]),
        ("timeout_s=9", "timeout_s=8", []),
    ],
)
def test_differences_of_needs(make_book: MakeBook, mine: str, other: str, found: list[str]) -> None:
    recipe = f"@reproduce({mine})\ndef one():\n    f()\n@reproduce({other})\ndef two():\n    f()\n"
    outline = read_outline(make_book(recipe=recipe).get("widget-overflow").recipe)
    assert differences(outline, "one", "two") == found


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        (', control="it-breaks")\ndef mended', ")\ndef mended", "'mended' has no control"),
        ('"it-breaks")\ndef mended', '"mended-widget")\ndef mended', "shows no failure"),
        ('"it-breaks")\ndef mended', '"ghost")\ndef mended', "is no step"),
        ("fill(mended=True)", "fill()", "is the same as its control"),
        (
            "fill(mended=True)",
            "fill(mended=1, shaken=2)",
            "in 2 things: mended=1; shaken=2",
        ),
    ],
)
def test_the_gate_on_controls(make_book: MakeBook, old: str, new: str, problem: str) -> None:
    recipe = RECIPE.replace(old, new, 1)
    assert recipe != RECIPE
    assert problem in "\n".join(map(str, GATES["controls"](Reading(make_book(recipe=recipe)))))


def test_an_explanation_without_need(make_book: MakeBook, entry: dict[str, Any]) -> None:
    entry["steps"]["mended"]["differs"] = both("Nothing else.")
    assert "explains what does not differ" in str(
        next(GATES["controls"](Reading(make_book(entry))))
    )
    entry["steps"]["mended"].pop("differs")
    del entry["steps"]["shaken"]["in_force"]
    assert "does not show that the advice was in force" in str(
        next(GATES["controls"](Reading(make_book(entry))))
    )
