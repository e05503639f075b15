"""States of /dev/shm, each in a mount namespace of the step's own."""

from __future__ import annotations

import _multiprocessing
import ctypes
import os
import sys
from pathlib import Path

from fixbook.recipe import run_snippet
from fixbook.recipe.helpers import private_mount

SHM = "/dev/shm"  # noqa: S108  (that is the point)
_VERSION_3 = 0x20080522  # _LINUX_CAPABILITY_VERSION_3


def read_only(mend: str = "") -> None:
    """Nothing can be written to it."""
    private_mount(64 << 20)
    _remount_read_only()
    _mend(mend)


def _remount_read_only() -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.mount(None, SHM.encode(), None, 32 | 1, None):  # MS_REMOUNT | MS_RDONLY
        raise OSError(ctypes.get_errno(), "remount")


def closed(mode: int, mend: str = "") -> None:
    """Its mode keeps out a process that has no rights of root."""
    private_mount(64 << 20)
    Path(SHM).chmod(mode)
    _mend(mend)
    header = (ctypes.c_uint32 * 2)(_VERSION_3, 0)
    if ctypes.CDLL(None, use_errno=True).capset(header, (ctypes.c_uint32 * 6)()):
        raise OSError(ctypes.get_errno(), "capset")


def missing(mend: str = "") -> None:
    """Nothing is mounted there, and there is no folder either."""
    private_mount(64 << 20, "/dev")
    Path(os.devnull).touch()
    _mend(mend)


def without_semaphores(mend: str = "") -> None:
    """Take them out of this Python, as if its build had found none."""
    del _multiprocessing.SemLock
    sys.modules.pop("multiprocessing.synchronize", None)
    _mend(mend)


def _mend(snippet: str) -> None:
    if snippet:
        run_snippet(snippet)
