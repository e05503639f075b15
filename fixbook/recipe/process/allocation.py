"""Note that a step has put something on a GPU: a record counts as one of a GPU only if it has."""

from __future__ import annotations

import os
import sys
import threading
import time

from fixbook.recipe.author.devices import DEVICE_VARIABLE
from fixbook.recipe.author.steps import record_allocation

_POLL_S = 0.05


def on_a_gpu() -> bool:
    """Tell whether the runner gave this step a GPU."""
    return os.environ.get(DEVICE_VARIABLE) == "cuda"


def note_allocation() -> None:
    """Record the first allocation as soon as it is seen: the step may die at any moment."""
    threading.Thread(target=_watch, name="fixbook-allocation", daemon=True).start()


def noted() -> bool:
    """Record what this process has allocated so far; return whether that is anything."""
    # A module that is being imported has no such parts yet; asked too early, CUDA would start.
    cuda = getattr(sys.modules.get("torch"), "cuda", None)
    started = getattr(cuda, "is_initialized", None)
    if cuda is None or started is None or not started():
        return False
    peaks = {gpu: cuda.max_memory_allocated(gpu) for gpu in range(cuda.device_count())}
    held = [gpu for gpu, peak in peaks.items() if peak]
    if held:
        record_allocation(sum(peaks.values()), held)
    return bool(held)


def _watch() -> None:
    while not noted():
        time.sleep(_POLL_S)
