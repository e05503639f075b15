"""Run many steps side by side without overcommitting the machine."""

from __future__ import annotations

import signal
import sys
import threading
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import contextmanager
from threading import Event
from typing import TYPE_CHECKING

from fixbook.environment import machine
from fixbook.recipe.running.budget import Budget
from fixbook.recipe.running.capacity import Room
from fixbook.recipe.running.needs import unmet_need
from fixbook.recipe.running.places import recipe_folder
from fixbook.recipe.running.rehearse import rehearse as rehearse_job
from fixbook.recipe.running.runner import run_step
from fixbook.recipe.running.schedule import Job, expected_seconds, in_order, sharing
from fixbook.recipe.running.start import begin, warm_parents

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from fixbook.log.signatures import Index
    from fixbook.recipe.record.result import StepResult
    from fixbook.recipe.running.warm_parents import WarmParents


def run_jobs(  # noqa: PLR0913  (options, each with a default)
    jobs: Iterable[Job],
    index: Index,
    stop: Event,
    started: Callable[[Job], None] = lambda _: None,
    *,
    warm: bool = True,
    budget: Budget | None = None,
    rehearse: bool = False,
    order: Callable[[Iterable[Job]], list[Job]] = in_order,
    parents: WarmParents | None = None,
) -> Iterator[tuple[Job, StepResult]]:
    """Run jobs side by side, as many as there is room for, and yield results as they come.

    Args:
        jobs: What to run.
        index: Compiled signatures.
        stop: Ends the running steps and starts no more when set.
        started: Called when a job starts.
        warm: Fork steps that bear it from processes that have imported the libraries.
        budget: Starts no step that does not fit into it, and ends those that run at its end.
        rehearse: Run each step on GPUs that stand in; see `rehearse`.
        order: Says in which order they start; see `schedule.in_order`.
        parents: What steps are forked from; see `begun`.

    Yields:
        Each job with its result.

    Raises:
        KeyboardInterrupt: The run was ended by Ctrl-C, SIGTERM or the event.
    """
    ordered = order(jobs)
    forked = sharing(ordered) if warm else {}
    expected = expected_seconds(ordered)
    room = Room.of_machine()
    limit = budget or Budget()

    def work(job: Job) -> StepResult | None:
        with room.hold(job.step.needs):
            if stop.is_set():
                return None
            if refused := limit.refuses(job, expected[job.key]):
                return refused
            started(job)
            ends = limit.event(stop)
            run = rehearse_job if rehearse else run_step
            forks = kept if job.key in forked else None
            return limit.judged(run(job.item, job.step, index, ends, forks), stop)

    with (
        ended_by_signals(stop),
        parents or warm_parents() as kept,
        ThreadPoolExecutor(max_workers=room.places) as pool,
    ):
        try:
            futures = {pool.submit(work, job): job for job in ordered}
            for future in as_completed(futures):
                result = future.result()
                if result is not None and not stop.is_set():
                    yield futures[future], result
        finally:  # also where the caller stops asking for results
            if sys.exc_info()[0] is not None:
                stop.set()
    if stop.is_set():
        raise KeyboardInterrupt


def begun(jobs: Sequence[Job], parents: WarmParents | None = None) -> WarmParents:
    """Return what jobs are forked from, which begins to import what the first of them needs.

    Whoever waits for the first of them has it sooner, as the rest is imported while it runs.

    Args:
        jobs: In the order in which they will be started.
        parents: Those that have begun already; see `begun_early`.
    """
    parents = parents or warm_parents(hurry=True)
    first = next((job for job in jobs if unmet_need(job.step.needs, machine()) is None), None)
    if first and not first.step.needs.versions and first.key in sharing(jobs):
        begin(recipe_folder(first.item.folder) / first.step.file, first.step, parents)
    return parents


@contextmanager
def ended_by_signals(stop: Event) -> Iterator[None]:
    """Let SIGINT and SIGTERM set an event while the block lasts.

    An exception raised by a signal may come up where it is swallowed, such as in a destructor; an
    event is not lost.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    previous = {
        number: signal.signal(number, lambda *_: stop.set())
        for number in (signal.SIGINT, signal.SIGTERM)
    }
    try:
        yield
    finally:
        for number, handler in previous.items():
            signal.signal(number, handler)
