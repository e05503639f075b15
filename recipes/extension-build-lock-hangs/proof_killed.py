"""Kill a build in the middle, and load its operator as the next run does."""

from __future__ import annotations

import contextlib
import os
import signal
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from failure import build

from fixbook.recipe import measure

if TYPE_CHECKING:
    from collections.abc import Callable

ROOT = Path("extensions")
LOCK = ROOT / "kernel" / "lock"
PATIENCE_S = 3.0


def kill_a_build(killed_by: int, version: int = 1) -> None:
    """Start a build in a process group of its own, and end the group once the lock is there."""
    os.environ["TORCH_EXTENSIONS_DIR"] = str(ROOT.absolute())
    child = os.fork()
    if child == 0:
        os.setsid()
        signal.signal(signal.SIGINT, signal.default_int_handler)
        with contextlib.suppress(KeyboardInterrupt):
            build(version)
        os._exit(0)
    while not LOCK.exists():
        time.sleep(0.005)
    os.killpg(child, killed_by)
    os.waitpid(child, 0)
    measure(lock_left=LOCK.exists())


def within_patience(load: Callable[[int], Any]) -> Any:
    """Load the operator, and stop after some seconds, as a person does."""

    def give_up(*_: object) -> None:
        raise TimeoutError(f"nothing happened for {PATIENCE_S} s")

    signal.signal(signal.SIGALRM, give_up)
    signal.setitimer(signal.ITIMER_REAL, PATIENCE_S if LOCK.exists() else 60.0)
    try:
        return load(1)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
