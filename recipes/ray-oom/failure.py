"""A small task on a node that Ray's memory monitor takes to be full."""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import psutil
import ray

if TYPE_CHECKING:
    from collections.abc import Iterator


@contextlib.contextmanager
def cluster(threshold: str, **variables: str) -> Iterator[None]:
    """Start Ray on this machine with a threshold for its memory monitor, and end it."""
    os.environ.update(variables, RAY_memory_usage_threshold=threshold)
    folder = Path(tempfile.mkdtemp(prefix="ray", dir="/tmp"))  # its sockets need a short path
    ray.init(num_cpus=1, include_dashboard=False, object_store_memory=80 << 20,
             logging_level="error", log_to_driver=False, _temp_dir=str(folder))  # fmt: skip
    try:
        yield
    finally:
        ray.shutdown()
        shutil.rmtree(folder, ignore_errors=True)


@contextlib.contextmanager
def output_in_a_file() -> Iterator[Path]:
    """Keep what Ray prints out of the log: it lists the processes of this machine."""
    path, before = Path("output"), {fd: os.dup(fd) for fd in (1, 2)}
    with path.open("w") as out:
        for fd in before:
            os.dup2(out.fileno(), fd)
        yield path
    for fd, kept in before.items():
        os.dup2(kept, fd)


def of_raylet(name: str) -> str:
    """Return a variable that the raylet, which has the monitor, was started with."""
    children = psutil.Process().children(recursive=True)
    raylet = next(child for child in children if child.name() == "raylet")
    return raylet.environ().get(name, "")


def small_task(*, retries: int = 0) -> Any:
    """Start a task that sleeps for three seconds, and notes each time that it starts."""
    starts = Path("starts").resolve()

    def sleep() -> str:
        with starts.open("a") as out:
            out.write("x")
        time.sleep(3)
        return "done"

    return ray.remote(max_retries=retries)(sleep).remote()
