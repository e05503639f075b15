"""Steps on GPUs that stand in are forked from a process that has imported torch."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from fixbook.index.build import index_of
from fixbook.recipe.reading.outline import read_outline
from fixbook.recipe.running.rehearse import rehearse
from fixbook.recipe.running.start import PATH_VARIABLE, warm_parents
from fixbook.recipe.running.warm_parents import SUPPORTED
from tests.test_stand_in import SOUND, installed

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from fixbook.book import Book
    from fixbook.recipe.record import StepResult

    MakeBook = Callable[..., Book]

pytestmark = [installed, pytest.mark.skipif(not SUPPORTED, reason="forked on Linux only")]
# What libraries ask while they are imported; each of the two keeps forks from using a GPU.
ASKS = {
    "how many": "torch.cuda.is_available()",
    "which": "torch.cuda.get_device_capability(0)",
}
# A fork of the step, which has used no GPU itself.
FORKED = """\
    import os
    import torch
    child = os.fork()
    if child == 0:
        os._exit(torch.cuda._is_in_bad_fork())
    measure(refused=bool(os.waitpid(child, 0)[1]))
"""


def rehearsed(book: Book, name: str) -> StepResult:
    """Run a step as `make rehearse` does, with a process to fork it from."""
    item = book.get("widget-overflow")
    step = read_outline(item.recipe).steps[name]
    with warm_parents() as parents:
        return rehearse(item, step, index_of(book), parents=parents)


def library(folder: Path, monkeypatch: pytest.MonkeyPatch, asks: str) -> None:
    """Put a large library on the path of all steps."""
    (folder / "trl").mkdir()
    (folder / "trl/__init__.py").write_text(f"import torch\nanswer = {asks}\n")
    monkeypatch.setenv(PATH_VARIABLE, str(folder))


@pytest.mark.parametrize("asks", ASKS)
def test_a_step_uses_a_gpu_though_its_imports_have_asked_for_one(
    make_book: MakeBook, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, asks: str
) -> None:
    """And a fork of the step cannot, as where these imports were its own."""
    library(tmp_path, monkeypatch, ASKS[asks])
    start = "def fill(mended=False, shaken=False):\n"
    recipe = SOUND.replace(start, f"{start}    import trl\n    measure(answer=str(trl.answer))\n")
    result = rehearsed(make_book(recipe=recipe.replace("    import torch\n", FORKED, 1)), "mended")
    assert (result.verdict.status, result.device) == ("passed", "cuda"), result.log
    assert result.outcome
    assert result.outcome.start == "warm"
    assert result.measures["refused"] is True
    assert result.measures["answer"] == {"how many": "True", "which": "(9, 0)"}[asks]


def test_what_fails_is_run_cold(make_book: MakeBook) -> None:
    """Whatever a fork may have broken, the verdict does not come from it."""
    mistaken = SOUND.replace("torch.ones(2, 4, device=device())", "torch.ones(2, 4)")
    result = rehearsed(make_book(recipe=mistaken), "mended")
    assert result.outcome
    assert (result.verdict.status, result.outcome.start) == ("failed", "cold")
