"""In which order steps run where time on the machine is short: what tells most comes first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fixbook.recipe.running.devices import gpus_wanted
from fixbook.recipe.running.schedule import Job, expected_seconds, sharing

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from fixbook.book import BookEntry
    from fixbook.recipe.author.steps import Step


def by_worth(jobs: Iterable[Job]) -> list[Job]:
    """Order jobs: the seeds of the book, then a failure and its first fix of each entry, the rest.

    The seeds are the entries that hold a published article against what was run. Of equal worth
    the shortest comes first, so that a budget ends with as many as it can.

    Args:
        jobs: The jobs of a run.
    """
    jobs = list(jobs)
    seconds, telling = expected_seconds(jobs), _telling(jobs)

    def rank(job: Job) -> tuple[int, float, tuple[str, str]]:
        worth = 0 if job.item.entry.said else _worth(job, telling)
        return worth, seconds[job.key], job.key

    return sorted(jobs, key=rank)


def by_entry(jobs: Iterable[Job]) -> list[Job]:
    """Order jobs as `by_worth` does, the seeds like any other entry: something of each, then all.

    Of equal worth those follow each other that are forked from one process, the cold ones last.

    Args:
        jobs: The jobs of a run.
    """
    jobs = list(jobs)
    seconds, telling, groups = expected_seconds(jobs), _telling(jobs), sharing(jobs)

    def rank(job: Job) -> tuple[int, bool, str, int, float, tuple[str, str]]:
        group = groups.get(job.key, "")
        gpus = gpus_wanted(job.step.needs)  # the process knows of so many
        return _worth(job, telling), not group, group, gpus, seconds[job.key], job.key

    return sorted(jobs, key=rank)


def _worth(job: Job, telling: Collection[tuple[str, str]]) -> int:
    return 1 if job.key in telling else 2


def _telling(jobs: Iterable[Job]) -> set[tuple[str, str]]:
    """Return of each entry its first fix and the failure that it is judged beside."""
    entries: dict[str, tuple[BookEntry, list[Step]]] = {}
    for job in jobs:
        entries.setdefault(job.item.slug, (job.item, []))[1].append(job.step)
    found = set()
    for slug, (item, steps) in entries.items():
        best = item.entry.fixes[0].id
        mending = next((one for one in steps if one.kind == "fix" and one.target == best), None)
        failing = next((one.name for one in steps if one.kind == "reproduce"), "")
        names = {mending.name, mending.control} if mending else {failing}
        found |= {(slug, name) for name in names}
    return found
