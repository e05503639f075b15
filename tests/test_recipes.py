"""Every step of every entry runs, and shows what the entry says.

Steps run side by side once; each is then a test of its own, named after entry and step.
"""

from __future__ import annotations

from threading import Event
from typing import TYPE_CHECKING

import pytest

from fixbook.book import load_book
from fixbook.index.build import index_of
from fixbook.recipe.outline import read_outline
from fixbook.recipe.schedule import Job
from fixbook.recipe.verify import run_jobs

if TYPE_CHECKING:
    from fixbook.recipe.result import StepResult

pytestmark = pytest.mark.recipes

# A broken entry is reported by test_book; the steps of the others still run.
_BOOK = load_book(strict=False)
_JOBS = {
    f"{item.slug}/{name}": Job(item, step)
    for item in _BOOK.entries.values()
    for name, step in read_outline(item.recipe).steps.items()
}


@pytest.fixture(scope="module")
def results() -> dict[str, StepResult]:
    done = run_jobs(_JOBS.values(), index_of(_BOOK), Event())
    return {f"{job.item.slug}/{job.step.name}": result for job, result in done}


@pytest.mark.parametrize("name", _JOBS)
def test_step(results: dict[str, StepResult], name: str) -> None:
    result = results[name]
    if result.verdict.status == "skipped":
        pytest.skip(result.verdict.reason)
    assert result.verdict.status == "passed", (
        f"{name}: {result.verdict.reason}\n{result.log[-3000:]}"
    )


def test_recipes_declare_what_they_import() -> None:
    """Without torch, a recipe is refused with a line that says what to install."""
    for item in _BOOK.entries.values():
        outline = read_outline(item.recipe)
        assert "torch" in {need.name for need in outline.dependencies}, item.slug
        assert all(str(need.specifier).startswith("==") for need in outline.dependencies), item.slug
