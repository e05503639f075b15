"""Ten days in a row run every step, and each day what changed and the first of every entry."""

from __future__ import annotations

import datetime as dt
import json
import subprocess
from collections import Counter
from typing import TYPE_CHECKING

import pytest

from fixbook.recipe.reading.outline import Outline, read_outline
from tests import leave_out, long_first
from tests.conftest import HEADER, RECIPE
from tests.leave_out import said
from tests.long_first import HERE, place
from tests.portion import (
    MANY,
    PARTS,
    TURNS,
    Portion,
    changed_since,
    day_asked,
    first_steps,
    portion,
)

if TYPE_CHECKING:
    from pathlib import Path

DAY = dt.date(2026, 11, 23)
NOTHING: frozenset[str] = frozenset()
FIRST = {"it-breaks", "mended"}
SLUGS = [f"entry-{number}" for number in range(40)]


@pytest.fixture
def outline(tmp_path: Path) -> Outline:
    path = tmp_path / "recipe.py"
    path.write_text(HEADER + RECIPE, "utf-8")
    return read_outline(path)


def taken(outline: Outline, changed: frozenset[str] | None, day: dt.date = DAY) -> set[str]:
    return set(portion(dict.fromkeys(SLUGS, outline), changed, day).taken)


def test_ten_days_run_everything_and_no_day_does(outline: Outline) -> None:
    every = {f"{slug}/{name}" for slug in SLUGS for name in outline.steps}
    days = [taken(outline, NOTHING, DAY + dt.timedelta(days=n)) for n in range(PARTS)]
    assert set().union(*days) == every
    assert all(day < every for day in days)
    assert taken(outline, NOTHING, DAY + dt.timedelta(days=PARTS)) == days[0]


def test_each_day_runs_the_first_failure_and_the_first_fix(outline: Outline) -> None:
    assert first_steps(outline) == FIRST
    assert {f"{slug}/{name}" for slug in SLUGS for name in FIRST} <= taken(outline, NOTHING)


def test_where_nothing_fails_the_first_measurement_runs(tmp_path: Path) -> None:
    path = tmp_path / "recipe.py"
    path.write_text(HEADER + RECIPE.replace("@reproduce()", ""), "utf-8")
    assert first_steps(read_outline(path)) == {"broken-widget", "mended"}


def test_what_changed_runs_with_what_is_judged_beside_it(outline: Outline) -> None:
    one = {"only": outline}
    days = [DAY + dt.timedelta(days=n) for n in range(PARTS)]
    for changed, runs in (("mended-widget", "broken-widget"), ("broken-widget", "mended-widget")):
        for day in days:
            chosen = portion(one, frozenset({f"only/{changed}"}), day).taken
            assert {f"only/{changed}", f"only/{runs}"} <= chosen


def test_of_records_changed_by_the_hundred_three_days_take_all(outline: Outline) -> None:
    book = {f"{slug}-{n}": outline for slug in SLUGS for n in range(MANY)}
    changed = frozenset(f"{slug}/{name}" for slug in book for name in outline.steps)
    days = [portion(book, changed, DAY + dt.timedelta(days=n)) for n in range(TURNS)]
    assert frozenset().union(*(day.taken for day in days)) == changed
    assert all(day.left > len(changed) // 5 for day in days)


def test_no_day_runs_a_step_without_its_control(outline: Outline) -> None:
    for n in range(PARTS):
        chosen = taken(outline, NOTHING, DAY + dt.timedelta(days=n))
        for name in chosen:
            slug, _, step = name.partition("/")
            control = outline.steps[step].control
            assert not control or f"{slug}/{control}" in chosen


def test_everything_runs_where_it_is_unknown_what_changed(outline: Outline) -> None:
    chosen = portion({"only": outline}, None, DAY)
    assert chosen == Portion(frozenset(f"only/{name}" for name in outline.steps), 0)


def test_what_is_left_out_is_counted(outline: Outline) -> None:
    chosen = portion(dict.fromkeys(SLUGS, outline), NOTHING, DAY)
    assert chosen.left == len(SLUGS) * len(outline.steps) - len(chosen.taken)
    assert said(Portion(frozenset("ab"), 1200), DAY).startswith("1,200 of 1,202 steps were left")


@pytest.mark.parametrize("asked", [None, "", "all"])
def test_by_default_all_steps_run(asked: str | None) -> None:
    assert day_asked(asked) is None


def test_a_day_is_asked_for() -> None:
    assert day_asked("2026-11-23") == DAY
    assert isinstance(day_asked("today"), dt.date)
    with pytest.raises(ValueError, match="expected 'all', 'today' or a day"):
        day_asked("fifth")


def git(root: Path, *arguments: str) -> str:
    who = ["-c", "user.name=a", "-c", "user.email=a@example.org"]
    done = subprocess.run(
        ["git", *who, "-C", str(root), *arguments], capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


def test_a_step_changed_whose_digest_is_another(tmp_path: Path) -> None:
    evidence = tmp_path / "recipes/a/evidence/cpu.json"
    evidence.parent.mkdir(parents=True)
    git(tmp_path, "init", "--quiet")

    def landed(**digests: str) -> str:
        steps = {name: {"digest": digest} for name, digest in digests.items()}
        evidence.write_text(json.dumps({"steps": steps}), "utf-8")
        git(tmp_path, "add", "--all")
        git(tmp_path, "commit", "--quiet", "--message", "x")
        return git(tmp_path, "rev-parse", "HEAD")

    before = landed(same="1", other="2", gone="3")
    after = landed(same="1", other="4", new="5")
    assert changed_since(tmp_path, before) == frozenset({"a/other", "a/new"})
    assert changed_since(tmp_path, after) == NOTHING
    (tmp_path / "recipes/a/recipe.py").write_text("1", "utf-8")
    assert changed_since(tmp_path, after) == NOTHING


def test_without_history_nothing_is_known(tmp_path: Path) -> None:
    assert changed_since(tmp_path) is None
    git(tmp_path, "init", "--quiet")
    assert changed_since(tmp_path) is None
    git(tmp_path, "commit", "--quiet", "--allow-empty", "--message", "x")
    assert changed_since(tmp_path) is None
    assert changed_since(tmp_path, "no-such-commit") is None


def test_what_takes_long_comes_first() -> None:
    assert [name for name in long_first.FIRST if not (HERE / name).exists()] == []
    assert place(HERE / "site/test_serve.py") < place(HERE / "site/test_home.py")
    assert place(HERE / "site/test_home.py") < place(HERE / "test_words.py")
    assert place(HERE / "test_words.py") < place(HERE / "test_portion.py")


class Case:
    """As much of a test of pytest as taking turns looks at."""

    def __init__(self, name: str, at: int) -> None:
        self.originalname = name
        self.nodeid = f"tests/test_some.py::{name}[case-{at}]"
        self.skipped = False

    def add_marker(self, _mark: pytest.MarkDecorator) -> None:
        self.skipped = True


@pytest.mark.parametrize(
    ("touched", "always"),
    [
        (set(), set()),
        ({"case-1"}, {1}),
        ({"test_some", "tests"}, set()),
        ({"tests/test_some.py"}, set()),
    ],
)
def test_every_case_has_its_day(
    touched: set[str], always: set[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(leave_out, "_touched", lambda: touched)
    name, parts = "test_wrong_values", leave_out.TURNS["test_wrong_values"]
    ran: Counter[int] = Counter()
    for day in range(parts):
        cases = [Case(name, at) for at in range(4)]
        other = Case("test_another", 0)
        leave_out._take_turns([*cases, other], DAY + dt.timedelta(days=day))  # type: ignore[list-item]
        assert not other.skipped
        ran.update(at for at, case in enumerate(cases) if not case.skipped)
    assert ran == {at: parts if at in always else 1 for at in range(4)}


def test_a_single_test_is_run_as_well_where_its_file_changed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    alone = "test_extremes"
    turns = leave_out.TURNS[alone]
    for touched, days in ((set(), 1), ({"tests/test_some.py"}, turns)):
        monkeypatch.setattr(leave_out, "_touched", lambda touched=touched: touched)
        ran = 0
        for day in range(turns):
            case = Case(alone, 0)
            case.nodeid = f"tests/test_some.py::{alone}"
            leave_out._take_turns([case], DAY + dt.timedelta(days=day))  # type: ignore[list-item]
            ran += not case.skipped
        assert ran == days


def test_what_takes_turns_is_there() -> None:
    text = "".join(path.read_text("utf-8") for path in HERE.rglob("test_*.py"))
    assert [name for name in leave_out.TURNS if f"def {name}(" not in text] == []
