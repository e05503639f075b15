"""Mistakes are drawn where they can be noticed, and what survived is said."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from bench.mutants.modules import TESTS
from bench.mutants.report import page, reasons_of, said_before
from bench.mutants.session import Mutant, draw, forget_survivors, mutants, session_path

SOURCE = "def f(a: int | None = 1) -> int | None:\n    return a + 1\n"
TABLES = """
CREATE TABLE work_items (job_id PRIMARY KEY);
CREATE TABLE mutation_specs (operator_name, operator_args, occurrence, start_pos_row,
                             start_pos_col, job_id);
CREATE TABLE work_results (worker_outcome, test_outcome, diff, job_id);
"""
SPOTS = {
    "annotation": ("core/ReplaceBinaryOperator_BitOr_Add", 1, 13),
    "returned": ("core/ReplaceBinaryOperator_BitOr_Sub", 1, 32),
    "default": ("core/NumberReplacer", 1, 22),
    "sum": ("core/ReplaceBinaryOperator_Add_Sub", 2, 13),
    "product": ("core/ReplaceBinaryOperator_Add_Mul", 2, 13),
}
DIFF = "--- mutation diff ---\n--- aa\n+++ bb\n@@ -1 +1 @@\n-    return a + 1\n+    return a - 1\n"


@pytest.fixture
def session(tmp_path: Path) -> Path:
    """Return a session as cosmic-ray writes it."""
    path = tmp_path / "fixbook.f-0a1b2c3d.sqlite"
    with closing(sqlite3.connect(path)) as base, base:
        base.executescript(TABLES)
        for job, (operator, row, column) in SPOTS.items():
            base.execute("INSERT INTO work_items VALUES (?)", (job,))
            spec = (operator, "[]", 0, row, column, job)
            base.execute("INSERT INTO mutation_specs VALUES (?, ?, ?, ?, ?, ?)", spec)
    return path


def jobs(session: Path, table: str = "mutation_specs") -> set[str]:
    with closing(sqlite3.connect(session)) as base:
        return {job for (job,) in base.execute(f"SELECT job_id FROM {table}")}  # noqa: S608


def test_one_mistake_a_place_and_kind_and_none_in_annotations(session: Path) -> None:
    assert draw(session, SOURCE, 9, 1) == 2
    kept = jobs(session)
    assert "default" in kept
    assert len(kept & {"sum", "product"}) == 1
    assert len(kept) == 2
    assert jobs(session, "work_items") == kept


def test_as_many_as_are_asked_for(session: Path) -> None:
    draw(session, SOURCE, 1, 1)
    assert len(jobs(session)) == 1


def test_what_survived_is_tried_again(session: Path) -> None:
    with closing(sqlite3.connect(session)) as base, base:
        for job, outcome in (("sum", "SURVIVED"), ("product", "KILLED")):
            row = ("NORMAL", outcome, DIFF, job)
            base.execute("INSERT INTO work_results VALUES (?, ?, ?, ?)", row)
    found = mutants(session, "f.py")
    assert sorted(one.killed for one in found) == [False, True]
    assert {(one.line, one.before, one.after) for one in found} == {
        (2, "return a + 1", "return a - 1")
    }
    forget_survivors(session)
    assert [one.killed for one in mutants(session, "f.py")] == [True]


def test_a_session_is_of_one_text(tmp_path: Path) -> None:
    (tmp_path / "f.py").write_text("1", "utf-8")
    first = session_path(tmp_path, tmp_path, "f.py")
    (tmp_path / "f.py").write_text("2", "utf-8")
    assert session_path(tmp_path, tmp_path, "f.py") != first


def test_the_page_counts_and_names_what_survived(tmp_path: Path) -> None:
    killed = Mutant("f.py", 2, "a + 1", "a - 1", killed=True)
    left = Mutant("f.py", 3, "a or b", "", killed=False)
    text = page([killed, left], {})
    assert "| `f.py` | 2 | 1 | 50% |" in text
    assert f"- `{left.key}` f.py:3\n  `a or b` → (taken out)\n  **none given" in text
    assert killed.key not in text
    (tmp_path / "reasons.yaml").write_text(f"{left.key!r}: nothing reads it\n", "utf-8")
    said = page([killed, left], reasons_of(tmp_path / "reasons.yaml"))
    assert "nothing reads it" in said
    assert "none given" not in said
    assert reasons_of(tmp_path / "none.yaml") == {}


def test_a_module_that_is_not_run_keeps_what_the_page_says() -> None:
    found = [Mutant("f.py", n, f"a + {n}", "", killed=n > 1) for n in range(1, 5)]
    found.append(Mutant("g.py", 3, "a `b`", "a `c`", killed=False))
    text = page(found, {})
    again = list(said_before(text))
    assert sorted(one.key for one in again if not one.killed) == sorted(
        one.key for one in found if not one.killed
    )
    assert page(again, {}) == text


def test_a_mistake_keeps_its_name_when_it_moves() -> None:
    one, two = (Mutant("f.py", line, "a", "b", killed=False) for line in (1, 9))
    assert one.key == two.key
    assert one.key != Mutant("f.py", 1, "a", "c", killed=False).key


def test_modules_and_tests_are_there() -> None:
    root = Path(__file__).parents[1]
    named = [*TESTS, *(test for tests in TESTS.values() for test in tests)]
    assert [name for name in named if not (root / name).is_file()] == []
