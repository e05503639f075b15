"""A run's imports begin before its entry is read, and are those that its first step asks for."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

import fixbook.book
from fixbook.book import load_entry
from fixbook.book_root import book_root
from fixbook.cli import cli, run
from fixbook.cli.demonstration import for_a_reader
from fixbook.problem import BookError
from fixbook.recipe.running import Job, begun, begun_early
from fixbook.recipe.running.warm_parents import SUPPORTED, WarmParents
from fixbook.trial.stage import stage_of
from tests.test_rooms import ROOT

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.skipif(not SUPPORTED, reason="steps are forked on Linux only")

HEAD = '# /// script\n# dependencies = ["fixbook"]\n# ///\nfrom fixbook.recipe import *\n'
STEP = "@reproduce({needs})\ndef it_breaks_{name}():\n    import numpy\n"


def test_the_entry_is_read_while_imports_run(monkeypatch: pytest.MonkeyPatch) -> None:
    order = []

    def early(folder: Path) -> object:
        order.append(f"imports of {folder.name}")
        return WarmParents()

    def late(folder: Path) -> None:
        order.append(f"entry {folder.name}")
        raise BookError([])

    monkeypatch.setattr(run, "begun_early", early)
    monkeypatch.setattr(fixbook.book, "load_entry", late)
    with pytest.raises(BookError):
        cli.main(["run", "nan-loss-fp16"], standalone_mode=False)
    assert order == ["imports of nan-loss-fp16", "entry nan-loss-fp16"]
    order.clear()
    with pytest.raises(BookError):
        cli.main(["run", "nan-loss-fp16", "--cold"], standalone_mode=False)
    assert order == ["entry nan-loss-fp16"]


def test_nothing_that_reads_texts_or_evidence_is_imported_before_they_begin() -> None:
    code = (
        "import sys\nimport fixbook.cli.run\nfrom fixbook.book_root import book_root\n"
        "from fixbook.recipe.running import begun_early\n"
        "with begun_early(book_root() / 'recipes/nan-loss-fp16') as parents:\n"
        "    assert len(parents.pids()) == 1\n"
        "print(sorted({'pydantic', 'yaml', 'fixbook.trial'} & sys.modules.keys()))\n"
    )
    answer = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT
    )
    assert answer.stdout == "[]\n"


@pytest.mark.parametrize(
    ("needs", "count"),
    [
        ([""], 1),
        (["versions=('numpy==1.0',)", ""], 1),  # the first waits for its release
        (["versions=('numpy==1.0',)"], 0),
        (["env={'A': '1'}", ""], 0),  # nobody knows yet whether it is forked
        (["start='cold'"], 0),
    ],
)
def test_what_begins_is_a_step_that_runs_first(
    tmp_path: Path, needs: list[str], count: int
) -> None:
    steps = "".join(STEP.format(needs=text, name=n) for n, text in enumerate(needs))
    (tmp_path / "recipe.py").write_text(HEAD + steps, "utf-8")
    with begun_early(tmp_path) as parents:
        assert len(parents.pids()) == count


@pytest.mark.parametrize("slug", ["nan-loss-fp16", "hf-hub-unreachable-offline"])
def test_what_has_begun_is_what_the_first_step_is_forked_from(slug: str) -> None:
    item = load_entry(book_root() / "recipes" / slug)
    jobs = for_a_reader([Job(item, step) for step in stage_of(item).run])
    with begun_early(item.folder) as early, begun(jobs) as late:
        assert len(early.pids()) <= len(late.pids())
        pids = early.pids()
        assert begun(jobs, early) is early
        assert early.pids() == (pids or early.pids())
