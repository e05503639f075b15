"""A second job beside the first, and what becomes of it."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import time
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

PATIENCE_S = 4.0


def free_port() -> int:
    """Return a free port that no outgoing connection is given."""
    for port in range(20011 + os.getpid() % 9000, 32000):
        with socket.socket() as trial, contextlib.suppress(OSError):
            trial.bind(("", port))
            return port
    raise RuntimeError("no port is free between 20011 and 32000")


def start(work: Callable[[], Any]) -> int:
    """Run something in a child process; return its id."""
    child = os.fork()
    if child == 0:
        code = 1
        try:
            work()
            code = 0
        except BaseException as error:  # noqa: BLE001  (its exit code is what is asked for)
            os.write(1, f"{type(error).__name__}: {error}\n".encode())
        finally:
            os._exit(code)
    return child


@contextlib.contextmanager
def beside(work: Callable[[], Any]) -> Iterator[int]:
    """Run something in a child process for as long as the block lasts."""
    child = start(work)
    try:
        yield child
    finally:
        end(child)


def end(child: int) -> None:
    """End a child process, unless it has ended."""
    with contextlib.suppress(ProcessLookupError, ChildProcessError):
        os.kill(child, signal.SIGTERM)
        os.waitpid(child, 0)


def exit_code(child: int, patience_s: float = PATIENCE_S) -> int | None:
    """Wait for a child to end; return its exit code, or nothing if it does not within seconds."""
    deadline = time.monotonic() + patience_s
    while time.monotonic() < deadline:
        pid, status = os.waitpid(child, os.WNOHANG)
        if pid:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.05)
    return None


def listens(port: int) -> bool:
    """Tell whether somebody listens on a port."""
    with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port)):
        return True
    return False


def until(happens: Callable[[], Any], patience_s: float = 20.0) -> bool:
    """Wait until something holds; tell whether it did within seconds."""
    deadline = time.monotonic() + patience_s
    while not (held := bool(happens())) and time.monotonic() < deadline:
        time.sleep(0.05)
    return held
