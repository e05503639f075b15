"""Wait for what another process does, not for a time."""

from __future__ import annotations

import time
from threading import Event, Thread
from typing import TYPE_CHECKING

import psutil

if TYPE_CHECKING:
    from pathlib import Path

LONG_S = 300.0  # ends what hangs, however busy the machine is; nothing is measured by it


def text_of(path: Path, longest_s: float = LONG_S) -> str:
    """Wait until a file holds something, and return it.

    Raises:
        AssertionError: Nothing was written in all that time.
    """
    deadline = time.monotonic() + longest_s
    while time.monotonic() < deadline:
        if path.exists() and (text := path.read_text("utf-8")):
            return text
        time.sleep(0.05)
    raise AssertionError(f"{path} was never written")


def has_ended(pid: int) -> bool:
    """Tell whether a process runs no more; it may stay in the table until its parent looks."""
    try:
        return bool(psutil.Process(pid).status() == psutil.STATUS_ZOMBIE)
    except psutil.Error:
        return True


def ends(pid: int, longest_s: float = LONG_S) -> bool:
    """Wait until a process runs no more; tell whether it came to that."""
    deadline = time.monotonic() + longest_s
    while not has_ended(pid) and time.monotonic() < deadline:
        time.sleep(0.02)
    return has_ended(pid)


def set_once_written(path: Path) -> Event:
    """Return an event that is set as soon as a file holds something."""
    event = Event()

    def wait() -> None:
        text_of(path)
        event.set()

    Thread(target=wait, daemon=True).start()
    return event
