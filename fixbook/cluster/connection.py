"""A Ray cluster, or one of this machine alone."""

from __future__ import annotations

import os
import socket
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import ray
from ray.exceptions import RayError

import fixbook
from fixbook.problem import BookError, Problem
from fixbook.text import _

if TYPE_CHECKING:
    from collections.abc import Iterator

LOCAL = "local"
_CONNECT_S = 10
_MOST_REASON = 400


@contextmanager
def connected(address: str, *, gpus: bool = False) -> Iterator[None]:
    """Be a driver of a cluster while the block lasts.

    Args:
        address: Where the cluster is; `LOCAL` for one of this machine alone, which ends with the
            block.
        gpus: Whether one of this machine alone hands out its GPUs.

    Raises:
        BookError: No cluster answers there.
    """
    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
    given: dict[str, Any] = {"address": address}
    if address == LOCAL:  # a cluster has its own fixbook, by its image or its runtime_env
        package = str(Path(fixbook.__file__).parents[1])
        path = os.pathsep.join(filter(None, [package, os.environ.get("PYTHONPATH")]))
        given["include_dashboard"] = False  # it would open a port
        given["runtime_env"] = {"env_vars": {"PYTHONPATH": path}}
        if not gpus:
            given["num_gpus"] = 0
    try:
        _knock(address)
        ray.init(**given, logging_level="error", log_to_driver=False)
    except (OSError, RuntimeError, ValueError, RayError) as error:
        raise lost(address, error) from None
    try:
        yield
    finally:
        ray.shutdown()


def _knock(address: str) -> None:
    """Raise OSError where nobody listens: Ray itself would try again for minutes."""
    host, _colon, port = address.rpartition(":")
    if host and port.isdecimal() and "/" not in host:
        with socket.create_connection((host.strip("[]"), int(port)), timeout=_CONNECT_S):
            pass


def lost(address: str, error: Exception) -> BookError:
    """Say that a cluster does not answer.

    Args:
        address: Where it should be.
        error: What Ray says of it.
    """
    # What another version answers stands on several lines.
    reason = " ".join(str(error).split())[:_MOST_REASON]
    what = _("no Ray cluster answers there: {reason}").format(reason=reason)
    mend = _("see 'ray status' there, and that its version is {version}; what is finished is kept")
    return BookError([Problem(f"--ray {address}", what, mend.format(version=ray.__version__))])
