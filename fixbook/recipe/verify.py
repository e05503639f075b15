"""Run many steps side by side without overcommitting the machine."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from threading import Condition, Event
from typing import TYPE_CHECKING

from fixbook.recipe.runner import run_step

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from fixbook.book import BookEntry
    from fixbook.log.signatures import Index
    from fixbook.recipe.result import StepResult
    from fixbook.recipe.steps import Step


@dataclass(frozen=True, slots=True)
class Job:
    """One step of one entry, waiting to run."""

    item: BookEntry
    step: Step

    @property
    def cores(self) -> int:
        """Processor cores it keeps busy."""
        return max(1, self.step.needs.ranks)


def run_jobs(
    jobs: Iterable[Job],
    index: Index,
    stop: Event,
    started: Callable[[Job], None] = lambda _: None,
) -> Iterator[tuple[Job, StepResult]]:
    """Run jobs side by side, as many as the cores allow, and yield results as they come.

    Args:
        jobs: What to run; the longest are started first.
        index: Compiled signatures.
        stop: Ends the running steps and starts no more when set.
        started: Called when a job starts.

    Yields:
        Each job with its result.
    """
    ordered = sorted(jobs, key=lambda job: (-job.step.needs.timeout_s, -job.cores))
    # Steps with several ranks start them one after the other: a quarter more keeps cores busy.
    usable = _usable_cores()
    cores = _Cores(usable + usable // 4)

    def work(job: Job) -> StepResult | None:
        with cores.hold(job.cores):
            if stop.is_set():
                return None
            started(job)
            return run_step(job.item, job.step, index, stop)

    with ThreadPoolExecutor(max_workers=max(1, cores.total)) as pool:
        futures = {pool.submit(work, job): job for job in ordered}
        try:
            for future in as_completed(futures):
                result = future.result()
                if result is not None:
                    yield futures[future], result
        except BaseException:  # Ctrl-C included: end what runs, then let it through
            stop.set()
            pool.shutdown(wait=True, cancel_futures=True)
            raise


def _usable_cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class _Cores:
    """Hands out cores; a job that wants more than there are gets all of them."""

    def __init__(self, total: int) -> None:
        self.total = total
        self._free = total
        self._changed = Condition()

    def hold(self, wanted: int) -> _Held:
        return _Held(self, min(wanted, self.total))

    def take(self, count: int) -> None:
        with self._changed:
            self._changed.wait_for(lambda: self._free >= count)
            self._free -= count

    def give(self, count: int) -> None:
        with self._changed:
            self._free += count
            self._changed.notify_all()


@dataclass(frozen=True, slots=True)
class _Held:
    cores: _Cores
    count: int

    def __enter__(self) -> None:
        self.cores.take(self.count)

    def __exit__(self, *_: object) -> None:
        self.cores.give(self.count)
