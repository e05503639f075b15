"""Every step of every entry runs, and shows what the entry says.

Steps run side by side once; each is then a test of its own, named after entry and step.
"""

from __future__ import annotations

from threading import Event
from typing import TYPE_CHECKING

import pytest

from fixbook.cli.progress import Progress
from fixbook.index.build import index_of
from fixbook.recipe.reading.outline import read_outline
from fixbook.recipe.record.control import judge_beside_controls
from fixbook.recipe.running.jobs import run_jobs
from fixbook.recipe.running.schedule import Job, expected_seconds, sharing
from fixbook.recipe.running.selection import stale_here, steps_run_once
from tests.leave_out import step_of
from tests.real_book import usable_book

if TYPE_CHECKING:
    from fixbook.recipe.record.result import StepResult

pytestmark = pytest.mark.recipes

# A broken entry is reported by test_book; the steps of the others still run.
_BOOK = usable_book()
_JOBS = {
    f"{item.slug}/{name}": Job(item, step)
    for item in _BOOK.entries.values()
    for name, step in read_outline(item.recipe).steps.items()
}


def _sample() -> list[str]:
    """The cheapest step of each set of libraries that steps are forked with."""
    # Steps with versions or variables of their own are forked only where several share them.
    plain = [
        name for name, job in _JOBS.items() if not (job.step.needs.versions or job.step.needs.env)
    ]
    seconds = expected_seconds(_JOBS.values())
    groups = sharing(_JOBS.values())
    cheapest: dict[str, str] = {}
    for name in sorted(plain, key=lambda name: (seconds[_JOBS[name].key], name)):
        if _JOBS[name].key in groups:
            cheapest.setdefault(groups[_JOBS[name].key], name)
    return sorted(cheapest.values())


_SAMPLE = _sample()


@pytest.fixture(scope="module")
def results(request: pytest.FixtureRequest) -> dict[str, StepResult]:
    """Run the steps of the selected tests, and say after each how far the run has come."""
    asked = _asked(request.session)
    jobs: list[Job] = []
    done: dict[str, StepResult] = {}
    for item in _BOOK.entries.values():
        outline = read_outline(item.recipe)
        steps = [step for name, step in outline.steps.items() if f"{item.slug}/{name}" in asked]
        once = steps_run_once(item, steps, stale_here(item, outline, None))
        done |= {f"{item.slug}/{name}": result for name, result in once.items()}
        jobs += [Job(item, step) for step in steps if step.name not in once]
    return done | _run(jobs, request.config, warm=True)


@pytest.fixture(scope="module")
def cold(request: pytest.FixtureRequest) -> dict[str, StepResult]:
    """Run the sample in fresh interpreters."""
    asked = _asked(request.session)
    return _run([_JOBS[name] for name in _SAMPLE if name in asked], request.config, warm=False)


def _run(jobs: list[Job], config: pytest.Config, *, warm: bool) -> dict[str, StepResult]:
    done: dict[str, StepResult] = {}
    progress = Progress(jobs, "en")
    ran = (result for _, result in run_jobs(jobs, index_of(_BOOK), Event(), warm=warm))
    for result in judge_beside_controls(ran, _BOOK.entries):
        done[f"{result.slug}/{result.step.name}"] = result
        _say(config, progress.line(result))
    return done


def _asked(session: pytest.Session) -> set[str]:
    """Return the steps that the selected tests are about."""
    return {name for item in session.items if (name := step_of(item))}


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


@pytest.mark.parametrize("name", _SAMPLE)
def test_a_sample_started_both_ways(
    results: dict[str, StepResult], cold: dict[str, StepResult], name: str
) -> None:
    """A forked step shows what a fresh interpreter shows."""
    ours, theirs = results[name], cold[name]
    assert ours.verdict == theirs.verdict
    if theirs.verdict.status == "skipped":
        pytest.skip(theirs.verdict.reason)
    assert ours.outcome
    assert theirs.outcome
    assert (ours.outcome.start, theirs.outcome.start) == ("warm", "cold")
    assert ours.recognised == theirs.recognised
    assert ours.measures.keys() == theirs.measures.keys()
    for measure, value in theirs.measures.items():
        if not isinstance(value, float):  # those may be times
            assert ours.measures[measure] == value, measure


def test_recipes_ask_for_exact_versions() -> None:
    """Each version that a recipe asks for is an exact one, so that a copy of it runs anywhere."""
    for item in _BOOK.entries.values():
        outline = read_outline(item.recipe)
        assert all(str(need.specifier).startswith("==") for need in outline.dependencies), item.slug
