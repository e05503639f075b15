"""Other processes of a step: a second rank, a job on the same machine, ended with the block."""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import socket
import time
import traceback
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_POLL_S = 0.05


@contextlib.contextmanager
def beside(work: Callable[[], Any]) -> Iterator[int]:
    """Run a function in a forked process for as long as the block lasts.

    Args:
        work: What it calls; if that raises, its exit code is 1.

    Yields:
        The id of the process.
    """
    child = os.fork()
    if child == 0:
        code = 1
        try:
            _end_with_parent()
            work()
            code = 0
        except BaseException:  # noqa: BLE001  (it is printed, and its exit code is what is asked for)
            os.write(2, traceback.format_exc().encode())
        finally:
            os._exit(code)
    try:
        yield child
    finally:
        end(child)


def _end_with_parent() -> None:
    with contextlib.suppress(AttributeError):  # Linux alone has it
        ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG


def end(child: int) -> None:
    """End a process of `beside`, unless it has ended.

    Args:
        child: Its id. It gets SIGTERM, and SIGKILL if it is still there after five seconds.
    """
    with contextlib.suppress(ProcessLookupError, ChildProcessError):
        os.kill(child, signal.SIGTERM)
        if exit_code(child, 5.0) is None:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)


def exit_code(child: int, patience_s: float = 20.0) -> int | None:
    """Wait for a process of `beside` to end.

    Args:
        child: Its id.
        patience_s: How long, in seconds.

    Returns:
        Its exit code (negative: the signal that ended it), or nothing if it is still there.
    """
    codes = []

    def ended() -> bool:
        pid, status = os.waitpid(child, os.WNOHANG)
        codes.append(os.waitstatus_to_exitcode(status))
        return pid != 0

    return codes[-1] if until(ended, patience_s) else None


def until(happens: Callable[[], Any], patience_s: float = 20.0) -> bool:
    """Wait until something is so; tell whether it was within so many seconds.

    Args:
        happens: What is asked, again and again.
        patience_s: How long, in seconds.
    """
    deadline = time.monotonic() + patience_s
    while not (so := bool(happens())) and time.monotonic() < deadline:
        time.sleep(_POLL_S)
    return so


def listens(port: int) -> bool:
    """Tell whether somebody listens on a port of this machine.

    Args:
        port: Its number.
    """
    with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port)):
        return True
    return False


def free_port() -> int:
    """Return a free port, below those that the system gives to outgoing connections.

    Raises:
        RuntimeError: None is free.
    """
    for port in range(20011 + os.getpid() % 9000, 32000):
        with socket.socket() as trial, contextlib.suppress(OSError):
            trial.bind(("", port))
            return port
    raise RuntimeError("no port is free between 20011 and 32000")
