"""Every step of every entry runs, and shows what the entry says.

Steps run side by side once; each is then a test of its own, named after entry and step.
"""

from __future__ import annotations

from threading import Event
from typing import TYPE_CHECKING, TypeGuard

import pytest

from fixbook.book import load_book
from fixbook.cli.progress import Progress
from fixbook.index.build import index_of
from fixbook.recipe.control import judged
from fixbook.recipe.outline import read_outline
from fixbook.recipe.runner import run_step
from fixbook.recipe.schedule import Job, expected_seconds
from fixbook.recipe.selection import recorded_once, stale
from fixbook.recipe.start import starts_warm, warm_parents
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
def results(request: pytest.FixtureRequest) -> dict[str, StepResult]:
    """Run the steps of the selected tests, and say after each how far the run has come."""
    asked = {item.callspec.params.get("name") for item in request.session.items if _of_step(item)}
    jobs: list[Job] = []
    done: dict[str, StepResult] = {}
    for item in _BOOK.entries.values():
        outline = read_outline(item.recipe)
        steps = [step for name, step in outline.steps.items() if f"{item.slug}/{name}" in asked]
        once = recorded_once(item, steps, stale(item, outline, None))
        done |= {f"{item.slug}/{name}": result for name, result in once.items()}
        jobs += [Job(item, step) for step in steps if step.name not in once]
    progress = Progress(jobs, "en")
    ran = (result for _, result in run_jobs(jobs, index_of(_BOOK), Event()))
    for result in judged(ran, _BOOK.entries):
        done[f"{result.slug}/{result.step.name}"] = result
        _say(request.config, progress.line(result))
    return done


def _of_step(item: pytest.Item) -> TypeGuard[pytest.Function]:
    return isinstance(item, pytest.Function) and item.originalname == "test_step"


def _say(config: pytest.Config, line: str) -> None:
    """Print a line at once: a captured one would be seen when the run is over."""
    capture = config.pluginmanager.getplugin("capturemanager")
    terminal = config.pluginmanager.getplugin("terminalreporter")
    if capture and terminal:
        with capture.global_and_fixture_disabled():
            terminal.ensure_newline()
            terminal.write_line(line)


@pytest.mark.parametrize("name", _JOBS)
def test_step(results: dict[str, StepResult], name: str) -> None:
    result = results[name]
    if result.verdict.status == "skipped":
        pytest.skip(result.verdict.reason)
    assert result.verdict.status == "passed", (
        f"{name}: {result.verdict.reason}\n{result.log[-3000:]}"
    )


def _sample() -> dict[str, Job]:
    """The cheapest step of each entry that can be started both ways."""
    jobs = [job for job in _JOBS.values() if starts_warm(job.step.needs)]
    seconds = expected_seconds(jobs)
    cheapest: dict[str, Job] = {}
    for job in sorted(jobs, key=lambda job: (seconds[job.key], job.key)):
        cheapest.setdefault(job.item.slug, job)
    return {"/".join(job.key): job for job in cheapest.values()}


@pytest.mark.parametrize("name", _sample())
def test_a_sample_started_both_ways(name: str) -> None:
    """A forked step shows what a fresh interpreter shows."""
    job = _JOBS[name]
    with warm_parents() as parents:
        warm = run_step(job.item, job.step, index_of(_BOOK), parents=parents)
    cold = run_step(job.item, job.step, index_of(_BOOK))
    if cold.verdict.status == "skipped":
        assert warm.verdict == cold.verdict
        pytest.skip(cold.verdict.reason)
    assert warm.outcome
    assert cold.outcome
    assert (warm.outcome.start, cold.outcome.start) == ("warm", "cold")
    assert warm.verdict == cold.verdict
    assert warm.recognised == cold.recognised
    assert warm.measures.keys() == cold.measures.keys()
    for measure, value in cold.measures.items():
        if not isinstance(value, float):  # those may be times
            assert warm.measures[measure] == value, measure


def test_recipes_ask_for_exact_versions() -> None:
    """Each version that a recipe asks for is an exact one, so that a copy of it runs anywhere."""
    for item in _BOOK.entries.values():
        outline = read_outline(item.recipe)
        assert all(str(need.specifier).startswith("==") for need in outline.dependencies), item.slug
