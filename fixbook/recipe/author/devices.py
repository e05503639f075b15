"""The device a step runs on: the runner decides, a recipe names none. Standard library only."""

from __future__ import annotations

import os

DEVICE_VARIABLE = "FIXBOOK_DEVICE"  # ``cpu`` or ``cuda``


def device() -> str:
    """Return the device of a step ``on="any"``: ``cpu``, or this rank's ``cuda:N``."""
    if os.environ.get(DEVICE_VARIABLE) != "cuda":
        return "cpu"
    return f"cuda:{os.environ.get('LOCAL_RANK', '0')}"


def backend() -> str:
    """Return what its ranks talk by: ``nccl`` with one GPU a rank, ``gloo`` otherwise."""
    return "gloo" if device() == "cpu" else "nccl"
