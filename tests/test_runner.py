"""Steps run in processes of their own and are held against what the entry says."""

from __future__ import annotations

from dataclasses import replace
from threading import Event
from typing import TYPE_CHECKING, Any

import pytest

from fixbook.index.build import index_of
from fixbook.problem import BookError
from fixbook.recipe.process.worker import WRONG_VERSION
from fixbook.recipe.reading.outline import read_outline
from fixbook.recipe.running.jobs import run_jobs
from fixbook.recipe.running.overlays import OverlayError, overlay
from fixbook.recipe.running.runner import run_step
from fixbook.recipe.running.schedule import Job
from fixbook.recipe.running.start import start_step
from tests.conftest import RECIPE

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from fixbook.book import Book
    from fixbook.recipe.record.result import StepResult

    MakeBook = Callable[..., Book]


def run(book: Book, name: str) -> StepResult:
    item = book.get("widget-overflow")
    return run_step(item, read_outline(item.recipe).steps[name], index_of(book))


def with_step(entry: dict[str, Any], name: str, **claims: Any) -> dict[str, Any]:
    entry["steps"][name] = {"title": {"zh": "步骤", "en": "step"}, **claims}
    return entry


def test_every_step_of_the_example_holds(make_book: MakeBook) -> None:
    book = make_book()
    item = book.get("widget-overflow")
    jobs = [Job(item, step) for step in read_outline(item.recipe).steps.values()]
    results = {job.step.name: result for job, result in run_jobs(jobs, index_of(book), Event())}
    assert {r.verdict.status for r in results.values()} == {"passed"}, results
    assert results["it-breaks"].recognised == "widget-overflow"
    assert results["mended"].measures == {"shaken": False, "size": 3}
    assert results["mended"].snippets == ("detect",)


@pytest.mark.parametrize(
    ("name", "old", "new", "reason"),
    [
        ("it-breaks", "raise SystemExit(", "print(", "no longer reproduces on these versions"),
        ("it-breaks", "widget 7 overflowed", "something else", "recognised as nothing"),
        ("broken-widget", "not mended,", "mended,", "found is False, expected == true"),
        ("mended", "size=3", "size=8", "size is 8, expected <= 3"),
        ("mended", "return fill(mended=True)", "raise ValueError('no')", "ValueError: no"),
        ("mended", "return fill", "print('widget 1 overflowed'); return fill", "still holds"),
        ("mended", "return fill(mended=True)", "pass", "did not record the measure 'size'"),
        ("shaken", "fill(shaken=True)", "fill(shaken=True, mended=True)", "now helps"),
        ("shaken", "fill(shaken=True)", "fill()", "shaken is False, expected == true"),
    ],
)
def test_broken_by_hand(make_book: MakeBook, name: str, old: str, new: str, reason: str) -> None:
    head, _, tail = RECIPE.partition(f"def {name.replace('-', '_')}")
    book = make_book(recipe=head + f"def {name.replace('-', '_')}" + tail.replace(old, new, 1))
    result = run(book, name)
    assert result.verdict.status == "failed"
    assert reason in result.verdict.reason


def test_measures_survive_a_crash(make_book: MakeBook, entry: dict[str, Any]) -> None:
    recipe = """
    @non_fix("shake-it")
    def dies():
        measure(before=[1, 2], table=[{"a": 1, "b": True}])
        import os; os.kill(os.getpid(), 9)
    """
    book = make_book(
        with_step(entry, "dies", fails={"exit": "signal"}, expect={"before": "== [1, 2]"}), recipe
    )
    result = run(book, "dies")
    assert result.verdict.status == "passed", result.verdict
    assert result.outcome
    assert result.outcome.signal == "SIGKILL"


def test_expected_timeout(make_book: MakeBook, entry: dict[str, Any]) -> None:
    recipe = """
    @reproduce(timeout_s=10)
    def hangs():
        print("widget 3 overflowed", flush=True)
        import time; time.sleep(600)
    """
    book = make_book(with_step(entry, "hangs", fails={"exit": "timeout"}), recipe)
    assert run(book, "hangs").verdict.status == "passed"
    recipe = recipe.replace("timeout_s=10", "timeout_s=1")  # whether it prints does not matter
    book = make_book(with_step(entry, "hangs", fails={"exit": "nonzero"}), recipe)
    assert (
        "expected to fail by nonzero, got ended for its timeout limit"
        in run(book, "hangs").verdict.reason
    )


def test_symptom_counts_only_where_declared(make_book: MakeBook, entry: dict[str, Any]) -> None:
    symptom = {
        "title": {"zh": "溢出", "en": "overflow"},
        "summary": {"zh": "溢出。", "en": "Overflow."},
        "patterns": ["general overflow"],
        "text": {"zh": "溢出。", "en": "Overflow."},
    }
    entry["symptoms"] = [{"id": "overflow", "ask": {"zh": "是吗？", "en": "Is it?"}}]
    recipe = "@reproduce()\ndef it_breaks():\n    raise SystemExit('general overflow')\n"
    book = make_book(entry, recipe, symptoms={"overflow": symptom})
    assert "recognised as 'overflow'" in run(book, "it-breaks").verdict.reason
    entry["steps"]["it-breaks"]["fails"]["as"] = "overflow"
    assert run(make_book(entry, recipe), "it-breaks").verdict.status == "passed"


def test_missing_package_skips_with_the_reason(make_book: MakeBook) -> None:
    recipe = "@fix('mend-it', needs=['no-such-package'])\ndef mended():\n    return {'size': 3}\n"
    result = run(make_book(recipe=recipe), "mended")
    assert result.verdict.status == "skipped"
    assert "no-such-package" in result.verdict.reason


def test_of_a_chain_the_error_that_ended_the_step_is_told(make_book: MakeBook) -> None:
    asked = "import importlib.metadata\n    return importlib.metadata.version('no-such-thing')"
    recipe = RECIPE.replace("return fill(mended=True)", asked)
    line = run(make_book(recipe=recipe), "mended").line
    assert line.endswith("PackageNotFoundError: No package metadata was found for no-such-thing")


def test_gpu_step_is_skipped_without_gpu(
    make_book: MakeBook, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "")
    recipe = "@fix('mend-it', on='cuda>=99')\ndef mended():\n    return {'size': 3}\n"
    result = run(make_book(recipe=recipe), "mended")
    assert result.verdict.status == "skipped"
    assert "needs 99 NVIDIA GPUs" in result.verdict.reason


@pytest.mark.parametrize("declared", ["", ", versions=['psutil==0.2']"])
def test_version_that_was_not_imported_fails(make_book: MakeBook, declared: str) -> None:
    """An overlay that lacks what was asked for must not fall back to the main environment.

    What the runner asks for counts, as a re-verification swaps what a step declares.
    """
    recipe = f"@fix('mend-it'{declared})\ndef mended():\n    return {{'size': 3}}\n"
    item = (book := make_book(recipe=recipe)).get("widget-overflow")
    (step,) = read_outline(item.recipe).steps.values()
    asked = replace(step, needs=replace(step.needs, versions=("psutil==0.1",)))
    (lacking := book.root / "overlay").mkdir()
    (base := book.root / "base").mkdir()
    outcome = start_step(item.recipe, asked, base, lacking)
    assert outcome.exit_code == WRONG_VERSION
    assert "asked for psutil==0.1, found" in outcome.log


def test_overlay_that_cannot_be_installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    with pytest.raises(OverlayError, match="cannot install fixbook-no-such-thing==1"):
        overlay(["fixbook-no-such-thing==1"])
    left = [path for path in (tmp_path / "fixbook/overlays").iterdir() if path.is_dir()]
    assert not left, "nothing half-made is kept"


def test_callers_settings_do_not_leak(make_book: MakeBook, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CUDA_LAUNCH_BLOCKING", "1")
    recipe = """
    @fix("mend-it", env={"NCCL_DEBUG": "WARN"})
    def mended():
        import os
        leaked = "CUDA_LAUNCH_BLOCKING" in os.environ
        return {"size": 9 if leaked else 3, "own": os.environ["NCCL_DEBUG"]}
    """
    result = run(make_book(recipe=recipe), "mended")
    assert result.verdict.status == "passed"
    assert result.measures["own"] == "WARN"


@pytest.mark.parametrize(
    ("recipe", "message"),
    [
        ("def broken(:\n", "is not valid Python"),
        ("x = 1\n", "has no step"),
        ("@fix\ndef f(): ...\n", "@fix without ()"),
        ("@fix()\ndef f(): ...\n", "needs the id of what it executes"),
        ("@detect()\ndef f(): ...\n", "needs found=True or found=False"),
        ("@reproduce(rank=2)\ndef f(): ...\n", "unexpected keyword argument 'rank'"),
        ("import os\n@reproduce(ranks=os.cpu_count())\ndef f(): ...\n", "use constants"),
        ("@reproduce(on='gpu')\ndef f(): ...\n", "write 'any', 'cpu', 'cuda' or 'cuda>=2'"),
        ("@reproduce(versions=['torch>=2'])\ndef f(): ...\n", "write NAME==VERSION"),
        ("@reproduce()\ndef f(): ...\n@reproduce()\ndef f(): ...\n", "is there twice"),
    ],
)
def test_wrong_recipes(make_book: MakeBook, recipe: str, message: str) -> None:
    book = make_book(recipe=recipe)
    with pytest.raises(BookError) as caught:
        read_outline(book.get("widget-overflow").recipe)
    assert message in str(caught.value)


def test_outline_reads_constants_of_the_module(make_book: MakeBook) -> None:
    recipe = """
    OLD = ["transformers==4.46.3"]
    OPTIONS = {"ranks": 2, "timeout_s": 30}

    @reproduce(versions=[*OLD, "tokenizers==0.20.3"], **{**OPTIONS, "timeout_s": 30} | {"ranks": 2})
    def it_breaks():
        raise SystemExit(1)
    """
    step = read_outline(make_book(recipe=recipe).get("widget-overflow").recipe).steps["it-breaks"]
    assert step.needs.versions == ("transformers==4.46.3", "tokenizers==0.20.3")
    assert (step.needs.ranks, step.needs.timeout_s) == (2, 30)
