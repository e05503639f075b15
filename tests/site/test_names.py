"""The table of names that changed says what the recorded steps saw, release by release."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from fixbook.book import Names
from generator.text.strings import Words
from generator.view.names import names_table

if TYPE_CHECKING:
    from generator.view.library import Library

SEEN = {
    "1.0": {"old": "takes", "new": "refuses", "gone": "warns"},
    "1.1": {"old": "warns", "new": "takes", "gone": "refuses"},
    "2.0": {"old": "drops", "new": "takes", "gone": "refuses"},
    "2.1": {"old": "refuses", "new": "takes", "gone": "refuses"},
}
NAMES = Names(
    package="widgets",
    steps=[f"on-{one}".replace(".", "-") for one in SEEN],
    now={"old": "new", "gone": ""},
)


def step(version: str, does: dict[str, str], *, recorded: bool = True) -> Any:
    rows = [{"name": name, "does": done} for name, done in does.items()]
    return SimpleNamespace(
        step=SimpleNamespace(needs=SimpleNamespace(versions=(f"widgets=={version}",))),
        run=SimpleNamespace(
            record=SimpleNamespace(versions={}) if recorded else None, measures={"names": rows}
        ),
    )


def cells(name: str, **steps: Any) -> list[str]:
    every = {
        f"on-{version}".replace(".", "-"): step(version, does) for version, does in SEEN.items()
    } | steps
    table = names_table(NAMES, every, Words("en"))
    line = next(line for line in table.splitlines() if line.startswith(f"| `{name}` |"))
    return [cell.strip() for cell in line.strip("| ").split(" | ")]


def test_last_that_takes_and_first_that_refuses() -> None:
    last = "2.0; warns on 1.1 already; dropped in silence on 2.0 already"
    assert cells("old") == ["`old`", last, "2.1", "`new`", "1.1"]


def test_name_without_successor() -> None:
    assert cells("gone") == ["`gone`", "1.0; warns on 1.0 already", "1.1", "—", "—"]


def test_new_name_that_does_nothing_is_not_taken_yet() -> None:
    idle = step("1.1", SEEN["1.1"] | {"new": "drops"})
    assert cells("old", **{"on-1-1": idle})[4] == "2.0"


def test_what_did_not_run_is_not_told() -> None:
    unrun = step("2.1", SEEN["2.1"], recorded=False)
    assert cells("old", **{"on-2-1": unrun})[2] == "—"


def test_every_name_of_the_book_was_asked(real_library: Library) -> None:
    for dossier in real_library.dossiers.values():
        names = dossier.entry.names
        for name in names.steps if names else ():
            rows = dossier.evidence["cpu"].steps[name].measures["names"]
            assert {row["does"] for row in rows} <= {"takes", "warns", "drops", "refuses"}
        asked = {
            (row["name"], row["does"])
            for name in (names.steps if names else ())
            for row in dossier.evidence["cpu"].steps[name].measures["names"]
        }
        for old in names.now if names else ():
            assert {(old, "refuses")} <= asked, f"{dossier.slug}: {old} is refused by no release"
