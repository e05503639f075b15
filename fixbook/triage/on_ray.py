"""Read partitions on Ray Data: the same worker, as an actor on each processor of a cluster.

Every partition is written by the worker itself, so the output has to be a folder that all nodes
share, as the logs have. What Ray says of a partition is only that it is done.
"""

from __future__ import annotations

import itertools
import logging
import os
import pickle
from pathlib import Path
from typing import TYPE_CHECKING, Any

import ray
import ray.data
from ray.exceptions import RayError

import fixbook
from fixbook.problem import BookError, Problem
from fixbook.text import _
from fixbook.triage import store
from fixbook.triage.local import read_carefully
from fixbook.triage.worker import Done, Worker

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fixbook.triage.listing import Partition

LOCAL = "local"
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
    _connect(address)
    try:
        while window := list(itertools.islice(partitions, WINDOW)):
            yield from _window(window, out, address, text=text)
    finally:
        ray.shutdown()


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
            raise _lost(address, error) from None
        left = [one for one in window if one.name not in finished]
        for one in [one for one in left if store.is_done(out, one.name)]:
            left.remove(one)
            yield Done(one.name, sum(len(job.logs) for job in one.jobs), one.size)
        yield from read_carefully(iter(left), out, text=text)


def _limits() -> dict[str, Any]:
    """A file that ends its process would end it for ever: Ray Data begins again without end."""
    return {"max_restarts": RETRIES, "max_task_retries": RETRIES}


def _connect(address: str) -> None:
    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
    ray.data.DataContext.get_current().enable_progress_bars = False
    logging.getLogger("ray.data").setLevel(logging.ERROR)
    package = str(Path(fixbook.__file__).parents[1])
    given: dict[str, Any] = {"address": address}
    if address == LOCAL:  # a cluster has its own fixbook, by its image or its runtime_env
        # GPUs are not asked for, and a dashboard would open a port.
        path = os.pathsep.join(filter(None, [package, os.environ.get("PYTHONPATH")]))
        given |= {"include_dashboard": False, "num_gpus": 0}
        given |= {"runtime_env": {"env_vars": {"PYTHONPATH": path}}}
    try:
        ray.init(**given, logging_level="error", log_to_driver=False)
    except (ConnectionError, RuntimeError, ValueError, RayError) as error:
        raise _lost(address, error) from None


def _lost(address: str, error: Exception) -> BookError:
    reason = str(error).strip().splitlines()
    what = _("no Ray cluster answers there: {reason}").format(reason=reason[0] if reason else "")
    mend = _("see 'ray status' there, and that its version is {version}; what is finished is kept")
    return BookError([Problem(f"--ray {address}", what, mend.format(version=ray.__version__))])


def _raise_own(error: BaseException) -> None:
    """Raise what the worker itself has said, such as that the disk is full."""
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, BookError):
            raise BookError(cause.problems) from None
        cause = getattr(cause, "cause", None) or cause.__cause__
