"""A Ray cluster, or one of this machine alone."""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager, nullcontext
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import ray
from ray.exceptions import RayError

import fixbook
from fixbook.cluster.pulse import Pulse, knock, place_of
from fixbook.exits import UNUSABLE
from fixbook.problem import BookError, Problem
from fixbook.text import _

if TYPE_CHECKING:
    from collections.abc import Iterator

LOCAL = "local"
_MOST_REASON = 400


@contextmanager
def connected(address: str, *, gpus: bool = False) -> Iterator[None]:
    """Be a driver of a cluster while the block lasts.

    Args:
        address: Where the cluster is; `LOCAL` for one of this machine alone, which ends with the
            block.
        gpus: Whether one of this machine alone hands out its GPUs.

    Raises:
        BookError: No cluster answers there, or it went away.
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
        # Ray's workers stand back, by 15: beside other work they got a fraction of the processor.
        os.environ.setdefault("RAY_worker_niceness", "0")
    try:
        place = place_of(address)
        if place:  # Ray itself would try again for minutes
            knock(place)
        ray.init(**given, logging_level="error", log_to_driver=False)
    except (OSError, RuntimeError, ValueError, RayError) as error:
        raise lost(address, error) from None
    pulse = _pulse(address)
    try:
        with pulse.beating() if pulse else nullcontext():
            yield
    except (KeyboardInterrupt, RayError):
        if pulse and pulse.lost:
            raise lost(address, pulse.lost) from None
        raise
    finally:
        if not (pulse and pulse.lost):
            ray.shutdown()


def _pulse(address: str) -> Pulse | None:
    if address == LOCAL:
        return None
    place = place_of(address) or place_of(ray.get_runtime_context().gcs_address)
    return Pulse(place, partial(_end, address)) if place else None


def _end(address: str, error: OSError) -> NoReturn:
    """Say it, and end at once: Ray would end this process, too, but without a word."""
    sys.stderr.write(f"{lost(address, error)}\n")
    sys.stderr.flush()
    os._exit(UNUSABLE)


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
