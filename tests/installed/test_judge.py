"""Releases against boundaries: what lies within, what does not, what nobody knows."""

from __future__ import annotations

from typing import Any

import pytest

from fixbook.installed.inventory import Inventory
from fixbook.installed.judge import audit, standing


def row(good: str | None, bad: str | None, fixed: str | None, **more: Any) -> dict[str, Any]:
    return {
        "entry": "widget-overflow",
        "package": "widgets",
        "last_good": good,
        "first_bad": bad,
        "first_fixed": fixed,
        "sure": "executed",
        "failed_on": [],
    } | more


BETWEEN = row("1.0", "1.2", "2.0")


@pytest.mark.parametrize(
    ("release", "boundary", "expected"),
    [
        ("1.0", BETWEEN, None),
        ("1.1", BETWEEN, "unsure"),
        ("1.2", BETWEEN, "defect"),
        ("1.2+cu128", BETWEEN, "defect"),
        ("1.2.post1", BETWEEN, "defect"),
        ("1.9.9", BETWEEN, "defect"),
        ("2.0", BETWEEN, None),
        ("2.0+cpu", BETWEEN, None),
        ("2.0rc1", BETWEEN, "unsure"),
        ("2.0.dev20260101", BETWEEN, "unsure"),
        ("1.2rc1", BETWEEN, "unsure"),
        ("1!0.1", BETWEEN, None),
        ("0.1", row(None, None, "2.0"), "defect"),
        ("2.1", row(None, None, "2.0"), None),
        ("1.4", row(None, None, "2.0", failed_on=["1.5", "1.6"]), "unsure"),
        ("1.5", row(None, None, "2.0", failed_on=["1.5", "1.6"]), "defect"),
        ("1.3", row(None, "1.2", "2.0", failed_on=["1.5"]), "defect"),
        ("1.1", row("1.0", "1.2", None), "unsure"),
        ("0.9", row("1.0", "1.2", None), None),
        ("9.0", row("1.0", "1.2", None), "change"),
        ("1.1", row(None, "1.2", None), None),
    ],
)
def test_standing(release: str, boundary: dict[str, Any], expected: str | None) -> None:
    assert standing(release, boundary) == expected


def inventory(**releases: str) -> Inventory:
    made = Inventory("list", "requirements")
    for number, (name, release) in enumerate(releases.items(), 1):
        made.add(name.replace("_", "-"), release, number)
    return made


def test_what_was_never_run_is_counted_and_no_finding() -> None:
    rows = {"bounds": [BETWEEN], "executed": {"widgets": ["2.0", "3.0+cpu"], "boxes": ["1.0"]}}
    result = audit(inventory(widgets="3.0", boxes="1.1", click="8.2"), rows)
    assert result.findings == []
    assert result.about == {"widgets", "boxes"}
    assert [one.name for one in result.never] == ["boxes"]


def test_only_what_was_executed_is_a_warning() -> None:
    rows = {
        "bounds": [
            row("1.0", "1.2", None, entry="a-change"),
            row(None, None, "2.0", entry="z-read", sure="read"),
            row(None, None, "2.0", entry="executed"),
        ],
        "executed": {},
    }
    result = audit(inventory(widgets="1.5"), rows)
    assert [(one.row["entry"], one.kind, one.level) for one in result.findings] == [
        ("executed", "defect", "warning"),
        ("z-read", "defect", "note"),
        ("a-change", "change", "note"),
    ]
    assert len(result.defects) == 2


def test_two_releases_of_one_package_are_two() -> None:
    made = inventory(widgets="1.5")
    made.add("Widgets", "2.0")
    made.add("widgets", "1.5", 9)
    assert [(one.release, one.line) for one in made.found] == [("1.5", 1), ("2.0", 0)]
    result = audit(made, {"bounds": [BETWEEN], "executed": {}})
    assert [one.installed.release for one in result.findings] == ["1.5"]
