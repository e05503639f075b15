"""A cluster of Ray on this machine that has GPUs on paper."""

from __future__ import annotations

import contextlib
import shutil
import tempfile
from typing import TYPE_CHECKING

import ray

if TYPE_CHECKING:
    from collections.abc import Iterator


@contextlib.contextmanager
def cluster(gpus: int) -> Iterator[float]:
    """Start it and connect to it; yield how many GPUs it has registered."""
    folder = tempfile.mkdtemp(prefix="ray", dir="/tmp")  # its sockets need a short path
    ray.init(num_cpus=1, num_gpus=gpus, include_dashboard=False, object_store_memory=80 << 20,
             logging_level="error", log_to_driver=False, _temp_dir=folder)  # fmt: skip
    try:
        yield ray.cluster_resources()["GPU"]
    finally:
        ray.shutdown()
        shutil.rmtree(folder, ignore_errors=True)
