"""In which order many steps run, how they are divided among machines, and how long is left."""

from __future__ import annotations

import math
import time
from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fixbook.recipe.reading.imports import imports_of
from fixbook.recipe.record.store import load_evidence
from fixbook.recipe.running.start import starts_warm

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from fixbook.book import BookEntry
    from fixbook.recipe.author.steps import Step

# Of steps that have never been recorded; most are shorter than their time limit says.
_SHARE_OF_TIMEOUT = 0.1


@dataclass(frozen=True, slots=True)
class Job:
    """One step of one entry, waiting to run."""

    item: BookEntry
    step: Step

    @property
    def key(self) -> tuple[str, str]:
        """Entry and step by name."""
        return self.item.slug, self.step.name

    @property
    def cores(self) -> int:
        """Processor cores it keeps busy."""
        return max(1, self.step.needs.ranks)


def expected_seconds(jobs: Iterable[Job]) -> dict[tuple[str, str], float]:
    """Say how long each job is likely to take, in wall-clock seconds.

    Args:
        jobs: The jobs.

    Returns:
        By entry and step, the time in its recorded evidence; for want of it, a share of its limit.
    """
    recorded: dict[str, dict[str, float]] = {}
    expected = {}
    for job in jobs:
        slug, name = job.key
        if slug not in recorded:
            recorded[slug] = _recorded(job.item)
        expected[job.key] = recorded[slug].get(name, job.step.needs.timeout_s * _SHARE_OF_TIMEOUT)
    return expected


def unhindered_seconds(jobs: Iterable[Job]) -> dict[tuple[str, str], float]:
    """Say how long each job is likely to take where nothing else runs, in wall-clock seconds.

    Records are made while much else runs: a step takes at least its CPU time, at most what was
    recorded, and waits for the rest or not. Their geometric mean errs less than either.

    Args:
        jobs: The jobs.

    Returns:
        By entry and step.
    """
    jobs = list(jobs)
    seconds = expected_seconds(jobs)
    used = {
        (slug, name, record.seconds): record.cpu_seconds
        for slug, item in {job.item.slug: job.item for job in jobs}.items()
        for evidence in load_evidence(item).values()
        for name, record in evidence.steps.items()
        if record.seconds and record.cpu_seconds
    }
    for job in jobs:
        whole = seconds[job.key]
        cpu = used.get((*job.key, whole), whole * job.cores) / job.cores
        seconds[job.key] = math.sqrt(whole * min(cpu, whole))
    return seconds


def _recorded(item: BookEntry) -> dict[str, float]:
    found: dict[str, float] = {}
    for evidence in load_evidence(item).values():
        for name, record in evidence.steps.items():
            if record.seconds is not None:
                found.setdefault(name, record.seconds)
    return found


def in_order(jobs: Iterable[Job]) -> list[Job]:
    """Order jobs: cold ones first, then those that share a warm process together.

    Cold steps are the long ones, and a long step that starts last is waited for alone. Among equals
    the longest come first.
    """
    jobs = list(jobs)
    seconds = expected_seconds(jobs)
    groups = sharing(jobs)
    total: dict[str, float] = defaultdict(float)
    for key, group in groups.items():
        total[group] += seconds[key]

    def rank(job: Job) -> tuple[bool, float, str, float, int]:
        group = groups.get(job.key, "")
        return bool(group), -total[group], group, -seconds[job.key], -job.cores

    return sorted(jobs, key=rank)


def sharing(jobs: Iterable[Job]) -> dict[tuple[str, str], str]:
    """Say which jobs are forked, and from which process.

    A process that alone asks for its versions or variables starts cold: another one to fork it from
    would import no less.

    Args:
        jobs: All jobs of a run.

    Returns:
        By entry and step, a name that those share which are forked from one process.
    """
    known: dict[tuple[Path, str], str] = {}
    groups: dict[tuple[str, str], str] = {}
    processes: Counter[str] = Counter()
    for job in jobs:
        needs, libraries = job.step.needs, (job.item.folder, job.step.needs.import_first)
        if not starts_warm(needs):
            continue
        if libraries not in known:
            known[libraries] = " ".join(sorted(imports_of(*libraries).libraries))
        own = [*needs.versions, *(f"{name}={value}" for name, value in sorted(needs.env.items()))]
        groups[job.key] = " ".join([f"[{known[libraries]}]", *own])
        processes[groups[job.key]] += needs.ranks
    return {key: name for key, name in groups.items() if processes[name] > 1 or name[-1] == "]"}


def shard(jobs: Sequence[Job], number: int, count: int) -> list[Job]:
    """Return one of several parts of about equal cost.

    A step stays with its control, as the two are judged together. The division depends on the jobs
    and on recorded evidence alone, so that every machine with the same checkout makes the same one.

    Args:
        jobs: All jobs.
        number: Which part, from 1.
        count: How many parts.
    """
    seconds = expected_seconds(jobs)
    groups: dict[tuple[str, str], list[Job]] = defaultdict(list)
    for job in jobs:
        groups[job.item.slug, job.step.control or job.step.name].append(job)

    def cost(key: tuple[str, str]) -> float:
        return sum(seconds[job.key] * job.cores for job in groups[key])

    load = [0.0] * count
    chosen: set[tuple[str, str]] = set()
    for key in sorted(groups, key=lambda key: (-cost(key), key)):
        least = min(range(count), key=lambda part: (load[part], part))
        load[least] += cost(key)
        if least == number - 1:
            chosen |= {job.key for job in groups[key]}
    return [job for job in jobs if job.key in chosen]


class Remaining:
    """Estimates the time that is left from what has been done so far."""

    def __init__(self, jobs: Sequence[Job]) -> None:
        self._expected = expected_seconds(jobs)
        self._cores = {job.key: job.cores for job in jobs}
        self._began = time.monotonic()
        self._done = 0.0
        self._left = sum(self._cost(key) for key in self._expected)
        self.count = len(jobs)
        self.finished = 0

    def finish(self, key: tuple[str, str]) -> float:
        """Count a job as done.

        Args:
            key: Its entry and step.

        Returns:
            How many seconds the others are likely to take.
        """
        self.finished += 1
        self._done += self._cost(key)
        self._left -= self._cost(key)
        elapsed = time.monotonic() - self._began
        return max(0.0, self._left / self._done * elapsed)

    def _cost(self, key: tuple[str, str]) -> float:
        return self._expected[key] * self._cores[key] + 0.01
