"""An hour with a GPU begins with what tells most; what fails twice is left alone."""

from __future__ import annotations

import dataclasses
from collections import Counter
from itertools import groupby
from typing import TYPE_CHECKING

from fixbook.cli.results import MOST_TRIES, Results
from fixbook.recipe.reading.outline import read_outline
from fixbook.recipe.record.result import StepResult, Verdict
from fixbook.recipe.running.schedule import Job, sharing
from fixbook.recipe.running.worth import by_entry, by_worth
from tests.real_book import real_book

if TYPE_CHECKING:
    from pathlib import Path

SEED, OTHER = "fsdp2-meta-adapters-never-train", "nan-loss-fp16"


def jobs_of(slug: str) -> list[Job]:
    """Return every step of an entry."""
    item = real_book().get(slug)
    return [Job(item, step) for step in read_outline(item.recipe).steps.values()]


def test_seeds_come_first_then_a_failure_and_its_fix_of_each_entry() -> None:
    """The order of the recipe decides nothing."""
    assert real_book().get(SEED).entry.said
    assert not real_book().get(OTHER).entry.said
    ordered = by_worth([*reversed(jobs_of(OTHER)), *jobs_of(SEED)])
    seeds = len(jobs_of(SEED))
    assert {job.item.slug for job in ordered[:seeds]} == {SEED}
    first = [job.step for job in ordered[seeds : seeds + 2]]
    assert [step.kind for step in first].count("fix") == 1
    best = real_book().get(OTHER).entry.fixes[0].id
    assert {step.target for step in first if step.kind == "fix"} == {best}


def test_a_rehearsal_begins_with_something_of_each_entry() -> None:
    """A seed with forty steps does not keep the other entries waiting."""
    ordered = by_entry([*jobs_of(SEED), *jobs_of(OTHER)])
    assert Counter(job.item.slug for job in ordered[:4]) == {SEED: 2, OTHER: 2}


def test_steps_that_are_forked_from_one_process_follow_each_other() -> None:
    """Few such processes are kept at a time, and each begins with its imports."""
    ordered = by_entry([*jobs_of(SEED), *jobs_of(OTHER)])[4:]
    groups = sharing(ordered)
    met = [group for group, _jobs in groupby(groups.get(job.key, "cold") for job in ordered)]
    assert len(met) == len(set(met)) > 2
    assert {groups[job.key] for job in ordered[:1]} != {"cold"}


def test_what_failed_twice_is_left_alone(tmp_path: Path) -> None:
    """Each try leaves its log; a step that holds takes them away."""
    job = jobs_of(OTHER)[0]
    results = Results(tmp_path, "cpu", rehearsal=True)
    failed = StepResult(OTHER, job.step, Verdict("failed", "another error"), log="no")
    planned = None
    for _try in range(MOST_TRIES):
        assert not results.tried_enough(*job.key)
        results.add(planned, failed)  # type: ignore[arg-type]  # a failure asks nothing of it
    assert results.tried_enough(*job.key)
    assert len(list((tmp_path / "failures" / OTHER).iterdir())) == MOST_TRIES
    results.add(planned, dataclasses.replace(failed, verdict=Verdict("passed", "")))  # type: ignore[arg-type]
    assert not results.tried_enough(*job.key)
