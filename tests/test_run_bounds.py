"""What `fixbook run` says where the reader's release lies outside a boundary of the entry."""

from __future__ import annotations

import copy
import json
from typing import TYPE_CHECKING, Any

import pytest

from fixbook.book import Boundary
from fixbook.environment import installed_version
from fixbook.trial.bounds import outside
from tests.conftest import ENTRY, both
from tests.test_run import changed, run

if TYPE_CHECKING:
    from tests.test_run import MakeBook, Run

__all__ = ["run"]  # a fixture
HERE = str(installed_version("click"))
OLDER = {"package": "click", "last_good": "98.0", "first_bad": "99.0"}
MENDED = {"package": "click", "first_fixed": HERE}
READ = {"sure": "read", "reference": "report"}
NOT_THERE = changed("it-breaks", "    fill()", "    pass")


def bounded(*rows: dict[str, Any]) -> dict[str, Any]:
    return {**copy.deepcopy(ENTRY), "boundary": [{**row, **READ} for row in rows]}


@pytest.mark.parametrize(
    ("row", "version", "side"),
    [
        (OLDER, "98.0", "older"),
        (OLDER, "98.0+cu128", "older"),
        (OLDER, "98.1", None),  # between the two
        (OLDER, "99.0rc1", None),  # it may have it, or not
        (OLDER, "99.0", None),
        ({"package": "click", "first_bad": "99.0"}, "98.1", "older"),
        ({"package": "click", "first_fixed": "9.0"}, "8.9", None),
        ({"package": "click", "first_fixed": "9.0"}, "9.0rc1", None),
        ({"package": "click", "first_fixed": "9.0"}, "9.0", "mended"),
        ({"package": "click", "first_bad": "8.0", "first_fixed": "9.0"}, "8.5", None),
        ({"package": "click", "first_bad": "8.0", "first_fixed": "9.0"}, "7.9", "older"),
        ({"package": "other", "first_fixed": "9.0"}, "9.0", None),
    ],
)
def test_where_a_release_stands(
    make_book: MakeBook, row: dict[str, Any], version: str, side: str | None
) -> None:
    entry = make_book().get("widget-overflow").entry
    entry = entry.model_copy(update={"boundary": [Boundary.model_validate({**row, **READ})]})
    assert [one.side for one in outside(entry, {"click": version})] == ([side] if side else [])


def test_a_failure_that_has_not_begun_is_no_contradiction(make_book: MakeBook, run: Run) -> None:
    note = {"note": both("Only the box of {{fix:mend-it}}.")}
    book = make_book(bounded({**OLDER, **note}), NOT_THERE)
    said = f"it begins with click 99.0; {HERE} is older"
    arguments = ("--step", "mended", "--step", "shaken")
    text = run(book, *arguments, code=6)
    head, _, rest = text.partition("The failure\n")
    line = f"Boundary on the page: {said} (not executed) (Only the box of Mend it)"
    assert line in " ".join(head.split())
    parts = [
        "– does not happen here breaks",
        said,
        "Not applicable",
        f"– 2 steps: {said}",
        "does not happen (0 of 1), as the page says of your releases; not applicable: 2",
    ]
    places = [" ".join(rest.split()).find(part) for part in parts]
    assert -1 not in places, text
    assert places == sorted(places), text
    assert "What helps" not in text, "nothing of it has anything to show"
    text = run(book, *arguments, code=6, lang="zh")
    assert f"故障从 click 99.0 开始出现，{HERE} 比它旧（这一界限没有实测）（" in text
    assert f"– 2 个步骤：故障从 click 99.0 开始出现，{HERE} 比它旧" in text
    data = json.loads(run(book, *arguments, "--json", code=6))
    (row,) = data["outside"]
    assert (row["package"], row["yours"], row["side"]) == ("click", HERE, "older")
    assert (row["first_bad"], row["sure"]) == ("99.0", "read")
    assert row["note"]["en"] == "Only the box of Mend it."
    seen = {one["step"]: one for one in data["steps"]}
    assert {name: one["result"] for name, one in seen.items()} == {
        "it-breaks": "does not happen here",
        "mended": "not applicable",
        "shaken": "not applicable",
    }
    assert seen["it-breaks"]["bounded"]
    assert {one["reason"] for one in seen.values()} == {said}


def test_a_failure_that_is_mended_here(make_book: MakeBook, run: Run) -> None:
    text = run(make_book(bounded(MENDED), NOT_THERE), "--step", "mended", code=6)
    assert text.count(f"it is mended in click {HERE}, which is here") == 3
    text = run(make_book(bounded({**MENDED, "first_fixed": "1.0"}), NOT_THERE), code=6)
    assert f"it is mended in click 1.0; {HERE} is newer" in text
    assert "✓ finds it" in text, "what happens all the same is told as it is"


def test_what_happens_outside_a_boundary_is_told_as_it_is(make_book: MakeBook, run: Run) -> None:
    """A boundary may be that of one kind of the failure alone."""
    text = run(make_book(bounded(OLDER)), code=0)
    assert "Boundary on the page: it begins with click 99.0" in text
    assert "✓ happens here" in text
    assert "Not applicable" not in text


def test_within_a_boundary_it_is_a_contradiction(make_book: MakeBook, run: Run) -> None:
    within = {"package": "click", "last_good": "0.1", "first_bad": "0.2"}
    text = run(make_book(bounded(within), NOT_THERE), "--step", "mended", code=6)
    assert "Boundary" not in text
    assert "! does not happen here" in text
    assert "! shows nothing here" in text


def test_what_rests_on_another_error_there_is_not_applicable(make_book: MakeBook, run: Run) -> None:
    other = changed("it-breaks", "    fill()", "    int('x')")
    data = json.loads(run(make_book(bounded(OLDER), other), "--json", code=7))
    seen = {one["step"]: one["result"] for one in data["steps"]}
    assert seen["it-breaks"] == "stopped by another error"
    assert (seen["mended"], seen["shaken"]) == ("not applicable", "not applicable")
    assert seen["broken-widget"] == "finds it"


def test_of_several_boundaries_none_is_held_for_that_of_a_step(
    make_book: MakeBook, run: Run
) -> None:
    within = {"package": "click", "last_good": "0.1", "first_bad": "0.2"}
    text = run(make_book(bounded(MENDED, within), NOT_THERE), "--step", "mended", code=6)
    assert text.count("is mended in click") == 1, "it is said of the entry alone"
    assert "! does not happen here" in text
    assert "! shows nothing here" in text


def test_a_step_with_a_release_of_its_own_is_held_against_that(
    make_book: MakeBook, run: Run
) -> None:
    within = {"package": "click", "last_good": "0.1", "first_bad": "0.2", "first_fixed": HERE}
    pinned = NOT_THERE.replace("@reproduce()", f'@reproduce(versions=["click=={HERE}"])')
    data = json.loads(
        run(make_book(bounded(within), pinned), "--step", "it-breaks", "--json", code=6)
    )
    assert [one["side"] for one in data["outside"]] == ["mended"]
    assert data["steps"][0]["bounded"]
