"""GPU steps: rehearsal, the budget of a run, its folder of results, and the bundle's choices."""

from __future__ import annotations

import json
from threading import Event
from typing import TYPE_CHECKING

from fixbook.bundle.run import chosen
from fixbook.cli import cli, run_command
from fixbook.recipe.author.steps import Needs
from fixbook.recipe.reading.outline import read_outline
from fixbook.recipe.running.budget import Budget
from fixbook.recipe.running.capacity import gpu_memory
from fixbook.recipe.running.rehearse import rehearse_step
from fixbook.recipe.running.schedule import Job
from tests.conftest import RECIPE

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    import pytest

    from fixbook.book import Book

    MakeBook = Callable[..., Book]


def rehearsed(book: Book, name: str) -> tuple[str, str]:
    item = book.get("widget-overflow")
    result = rehearse_step(item, read_outline(item.recipe).steps[name])
    return result.verdict.status, result.verdict.reason


def test_a_rehearsal_ends_at_the_driver_and_says_where(make_book: MakeBook) -> None:
    load = 'def fill(mended=False, shaken=False):\n    import ctypes; ctypes.CDLL("libcuda.so.1")'
    recipe = RECIPE.replace("def fill(mended=False, shaken=False):", load)
    recipe = recipe.replace("@reproduce()", '@reproduce(on="cuda")')
    recipe = recipe.replace("@detect(found=True)", '@detect(found=True, on="cuda")')
    book = make_book(recipe=recipe)
    status, reason = rehearsed(book, "it-breaks")
    assert status == "passed"
    assert reason.startswith("reached CUDA at recipe.py:")
    assert rehearsed(book, "broken-widget") == ("failed", "no CUDA call was reached: exit code 0")


def test_a_budget_refuses_what_does_not_fit(make_book: MakeBook) -> None:
    item = make_book().get("widget-overflow")
    job = Job(item, read_outline(item.recipe).steps["mended"])
    budget = Budget(5)
    assert budget.refuses(job, 1) is None
    refused = budget.refuses(job, 60)
    assert refused
    assert refused.verdict.status == "skipped"
    assert refused.verdict.reason.startswith("not started")
    assert budget.unfinished == {job.key}
    assert Budget().refuses(job, 1e9) is None
    assert budget.event(Event()).is_set() is False
    assert Budget(0).event(Event()).is_set()


def test_gpu_memory_is_counted_for_gpu_steps_only() -> None:
    assert gpu_memory(Needs()) == 0
    assert gpu_memory(Needs(on="cuda", gpu_memory_gib=8)) > 8
    assert gpu_memory(Needs(on="cuda")) > 0


def test_results_are_written_apart_and_gone_on_with(
    make_book: MakeBook, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    book = make_book()
    monkeypatch.setenv("FIXBOOK_BOOK", str(book.root))
    folder = tmp_path / "results"
    arguments = ["verify", "widget-overflow", "--results", str(folder), "--lang", "en"]
    assert run_command(cli, arguments) == 0
    evidence = folder / "recipes" / "widget-overflow" / "evidence" / "cpu.json"
    steps = json.loads(evidence.read_text("utf-8"))["steps"]
    assert all(step["verdict"] == "passed" for step in steps.values())
    assert not (book.get("widget-overflow").folder / "evidence" / "cpu.json").exists()
    assert "passed" in (folder / "summary.txt").read_text("utf-8")
    capsys.readouterr()
    assert run_command(cli, arguments) == 0
    assert "nothing changed" in capsys.readouterr().err


def test_the_machines_own_packages_come_first() -> None:
    packed = {
        "click": {"version": "8.5", "folder": "libs/click", "requires": ["packaging>=9999"]},
        "packaging": {"version": "9999", "folder": "libs/packaging", "requires": []},
        "absent-thing": {"version": "1", "folder": "libs/absent", "requires": []},
    }
    found = {name: one["from"].split()[0] for name, one in chosen(packed, ["click>=8"]).items()}
    assert found == {"click": "machine", "packaging": "machine", "absent-thing": "bundle"}
    found = {name: one["from"].split()[0] for name, one in chosen(packed, ["click>=99"]).items()}
    assert found["click"] == found["packaging"] == "bundle"
