"""Read partitions with processes on this machine."""

from __future__ import annotations

import itertools
import os
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context, parent_process
from threading import Thread
from typing import TYPE_CHECKING, Any

from fixbook.triage import store
from fixbook.triage.answer import Read, row_of
from fixbook.triage.worker import Done, Worker

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from fixbook.triage.listing import Job, Partition

ENDED = "the process that read it was ended, as for want of memory"
_here: list[Worker] = []  # of a process of the pool


def read_here(
    partitions: Iterator[Partition], out: Path, processes: int, *, text: bool
) -> Iterator[Done]:
    """Read partitions; the answer of each is on disk when it is yielded.

    Args:
        partitions: What to read; asked for as they are needed.
        out: The folder of the answer.
        processes: How many read at once.
        text: Whether redacted lines are kept.

    Raises:
        BookError: A partition cannot be written.
    """
    if processes == 1:
        yield from read_carefully(partitions, out, text=text)
        return
    broken: list[Partition] = []
    while True:
        yield from _pooled(partitions, out, processes, broken, text=text)
        if not broken:
            return
        again, broken = broken, []
        yield from read_carefully(iter(again), out, text=text)


def _pooled(
    partitions: Iterator[Partition],
    out: Path,
    processes: int,
    broken: list[Partition],
    *,
    text: bool,
) -> Iterator[Done]:
    """Read with several processes until all is read, or one of them dies."""
    pool = _pool(processes, out, text=text)
    asked: dict[Future[Done], Partition] = {}
    try:
        while True:
            for one in itertools.islice(partitions, 2 * processes - len(asked)):
                asked[pool.submit(_partition, one)] = one
            if not asked:
                return
            ready, _ = wait(asked, return_when=FIRST_COMPLETED)
            for future in ready:
                done = future.result()
                del asked[future]
                yield done
    except BrokenProcessPool:
        broken += asked.values()
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def read_carefully(partitions: Iterator[Partition], out: Path, *, text: bool) -> Iterator[Done]:
    """Read one job at a time in a process of its own kind, so that one that kills it is known."""
    pool = _pool(1, out, text=text)
    try:
        for one in partitions:
            try:
                yield pool.submit(_partition, one).result()
                continue
            except BrokenProcessPool:
                pool.shutdown()
                pool = _pool(1, out, text=text)
            rows = []
            for job in one.jobs:
                try:
                    rows.append(pool.submit(_job, job, one.archive).result())
                except BrokenProcessPool:
                    pool.shutdown()
                    pool = _pool(1, out, text=text)
                    rows.append(row_of(Read(job, notes=[ENDED]), None, text=text))
            store.write(out, one.name, rows)
            yield Done(one.name, sum(len(job.logs) for job in one.jobs), one.size)
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _pool(processes: int, out: Path, *, text: bool) -> ProcessPoolExecutor:
    # A process that forks from one with threads may hang; each compiles the book once.
    return ProcessPoolExecutor(processes, get_context("spawn"), _begin, (out, text))


def _begin(out: Path, text: bool) -> None:  # noqa: FBT001  (what a pool passes is positional)
    import signal  # noqa: PLC0415  (Ctrl-C goes to all processes; the first one ends the others)

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_ends_with_the_first, daemon=True).start()
    _here[:] = [Worker(out, text=text)]


def _ends_with_the_first() -> None:
    """End with the process that began this one: killed, it cannot say so, and work would go on."""
    first = parent_process()
    if first is not None:
        first.join()
        os._exit(1)


def _partition(asked: Partition) -> Done:
    return _here[0].partition(asked)


def _job(job: Job, archive: str) -> dict[str, Any]:
    from fixbook.triage.listing import Partition  # noqa: PLC0415  (as needed by a broken one)

    return _here[0].rows(Partition("", (job,), archive, 0))[0]
