"""Read partitions on Ray Data: the same worker, as an actor on each processor of a cluster.

Every partition is written by the worker itself, so the output has to be a folder that all nodes
share, as the logs have. What Ray says of a partition is only that it is done.
"""

from __future__ import annotations

import itertools
import logging
import pickle
from pathlib import Path
from typing import TYPE_CHECKING, Any

import ray
import ray.data
from ray.exceptions import RayError

from fixbook.cluster.connection import LOCAL, connected, lost
from fixbook.problem import BookError
from fixbook.triage import store
from fixbook.triage.local import read_carefully
from fixbook.triage.worker import Done, Worker

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fixbook.triage.listing import Partition

WINDOW = 1024  # partitions that are handed to Ray at a time: their list is never in memory whole
RETRIES = 2  # of a partition whose actor died; then it is read one job at a time


def read_on_ray(
    partitions: Iterator[Partition], out: Path, address: str, *, text: bool
) -> Iterator[Done]:
    """Read partitions on Ray; see `fixbook.triage.local.read_here`.

    Args:
        partitions: What to read.
        out: The folder of the answer, which all nodes share.
        address: Where the cluster is; `LOCAL` for one of this machine alone.
        text: Whether redacted lines are kept.

    Raises:
        BookError: There is no such cluster, it went away, or nothing can be written.
    """
    out = out.resolve()
    ray.data.DataContext.get_current().enable_progress_bars = False
    logging.getLogger("ray.data").setLevel(logging.ERROR)
    with connected(address):
        while window := list(itertools.islice(partitions, WINDOW)):
            yield from _window(window, out, address, text=text)


class Actor:
    """A worker, as Ray Data calls it: one partition at a time."""

    def __init__(self, out: str, text: bool) -> None:  # noqa: FBT001  (Ray passes it on)
        self._worker = Worker(Path(out), text=text)

    def __call__(self, batch: dict[str, Any]) -> dict[str, Any]:
        """Read the partition of a batch and return what is said of it."""
        done = self._worker.partition(pickle.loads(batch["asked"][0]))  # noqa: S301  (our own)
        return {"name": [done.name], "logs": [done.logs], "size": [done.size]}


def _window(window: list[Partition], out: Path, address: str, *, text: bool) -> Iterator[Done]:
    cpus = int(ray.cluster_resources().get("CPU", 1))
    items = [{"asked": pickle.dumps(one)} for one in window]
    said = ray.data.from_items(items, override_num_blocks=len(items)).map_batches(
        Actor,
        batch_size=1,
        compute=ray.data.ActorPoolStrategy(min_size=1, max_size=max(1, cpus)),
        num_cpus=1,
        fn_constructor_args=(str(out), text),
        ray_remote_args_fn=_limits,
    )
    finished = set()
    try:
        for row in said.iter_rows():
            finished.add(row["name"])
            yield Done(row["name"], row["logs"], row["size"])
    except RayError as error:
        _raise_own(error)
        if address != LOCAL and not ray.is_initialized():
            raise lost(address, error) from None
        left = [one for one in window if one.name not in finished]
        for one in [one for one in left if store.is_done(out, one.name)]:
            left.remove(one)
            yield Done(one.name, sum(len(job.logs) for job in one.jobs), one.size)
        yield from read_carefully(iter(left), out, text=text)


def _limits() -> dict[str, Any]:
    """A file that ends its process would end it for ever: Ray Data begins again without end."""
    return {"max_restarts": RETRIES, "max_task_retries": RETRIES}


def _raise_own(error: BaseException) -> None:
    """Raise what the worker itself has said, such as that the disk is full."""
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, BookError):
            raise BookError(cause.problems) from None
        cause = getattr(cause, "cause", None) or cause.__cause__
