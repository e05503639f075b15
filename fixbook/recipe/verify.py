"""Run many steps side by side without overcommitting the machine."""

from __future__ import annotations

import signal
import sys
import threading
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Condition, Event
from typing import TYPE_CHECKING

from fixbook.recipe.runner import run_step
from fixbook.recipe.schedule import Job, in_order, usable_cores
from fixbook.recipe.start import warm_parents

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from fixbook.log.signatures import Index
    from fixbook.recipe.result import StepResult


def run_jobs(
    jobs: Iterable[Job],
    index: Index,
    stop: Event,
    started: Callable[[Job], None] = lambda _: None,
    *,
    warm: bool = True,
) -> Iterator[tuple[Job, StepResult]]:
    """Run jobs side by side, as many as the cores allow, and yield results as they come.

    Args:
        jobs: What to run; see `schedule.in_order`.
        index: Compiled signatures.
        stop: Ends the running steps and starts no more when set.
        started: Called when a job starts.
        warm: Fork steps that bear it from processes that have imported the libraries.

    Yields:
        Each job with its result.

    Raises:
        KeyboardInterrupt: The run was ended by Ctrl-C, SIGTERM or the event.
    """
    ordered = in_order(jobs)
    cores = _Cores(usable_cores())

    def work(job: Job) -> StepResult | None:
        with cores.hold(job.cores):
            if stop.is_set():
                return None
            started(job)
            return run_step(job.item, job.step, index, stop, parents if warm else None)

    with (
        _ended_by_signals(stop),
        warm_parents() as parents,
        ThreadPoolExecutor(max_workers=max(1, cores.total)) as pool,
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


@contextmanager
def _ended_by_signals(stop: Event) -> Iterator[None]:
    """Let SIGINT and SIGTERM set the event.

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
