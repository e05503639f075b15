"""Stand between the process that steps are forked from and one step.

The supervisor is where all orphans of the step come to (``PR_SET_CHILD_SUBREAPER``), so that at its
end none of them is left, and all they used of the processor has been counted. It ends the step when
whoever asked for it says so or is gone, killed without notice too.
"""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import resource
import select
import signal
import sys
import time
from typing import TYPE_CHECKING, Any, NoReturn

import psutil

from fixbook.recipe.process import worker
from fixbook.recipe.process.command import end_all
from fixbook.recipe.process.fork import become, run_as_program
from fixbook.recipe.process.ranks import run_ranks

if TYPE_CHECKING:
    import socket

_PR_SET_PDEATHSIG = 1
_PR_SET_CHILD_SUBREAPER = 36
_LOOK_S = 0.5
_MAX_MESSAGE = 64
_GIVE_UP_S = 20


def supervise(control: socket.socket, request: dict[str, Any]) -> NoReturn:
    """Run one step in a child and report on it; never returns.

    Args:
        control: Says when to stop: by a message or by its end. Gets ``{"supervisor": pid}`` and, at
            the end, ``{"code": …, "cpu_seconds": …}``.
        request: ``recipe``, ``step``, ``env``, ``cwd``, ``file_bytes``, ``torchrun`` (its
            arguments, or none for a step of one process).
    """
    os.setsid()
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    _prctl(_PR_SET_CHILD_SUBREAPER, 1)
    resource.setrlimit(resource.RLIMIT_FSIZE, (request["file_bytes"],) * 2)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    supervisor = os.getpid()
    step = os.fork()
    if step == 0:
        control.close()
        _prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != supervisor:
            os._exit(1)
        _run(request)
    _let_go_of_output()
    control.sendall(json.dumps({"supervisor": supervisor}).encode())
    children = _Children(step)
    watched = os.pidfd_open(step)
    while children.code is None:
        ready, _, _ = select.select([control.fileno(), watched], [], [], _LOOK_S)
        children.reap()
        if control.fileno() in ready:
            break
    children.end()
    report = {"code": children.code, "cpu_seconds": children.cpu_seconds}
    with contextlib.suppress(OSError):  # nobody may be there any more
        control.sendall(json.dumps(report).encode())
        # A socket that is closed with a message unread takes the report away with it.
        while control.recv(_MAX_MESSAGE):
            pass
    os._exit(0)


def _run(request: dict[str, Any]) -> NoReturn:
    arguments = [request["recipe"], request["step"]]
    become(worker.__name__, arguments, request["env"], request["cwd"])
    torchrun = request["torchrun"]
    if torchrun:
        run_as_program(lambda: run_ranks(torchrun, worker, arguments))
    run_as_program(lambda: worker.main(arguments))


class _Children:
    """The step's first process and whatever of it has come to us."""

    def __init__(self, step: int) -> None:
        self._step = step
        self.code: int | None = None
        self.cpu_seconds = 0.0

    def reap(self) -> bool:
        """Take the exit statuses that are there; False if no child is left."""
        while True:
            try:
                pid, status, usage = os.wait4(-1, os.WNOHANG)
            except ChildProcessError:
                return False
            if pid == 0:
                return True
            self.cpu_seconds += usage.ru_utime + usage.ru_stime
            if pid == self._step:
                self.code = os.waitstatus_to_exitcode(status)

    def end(self) -> None:
        """Kill until no child is left."""
        give_up = time.monotonic() + _GIVE_UP_S
        while self.reap() and time.monotonic() < give_up:
            end_all(psutil.Process().children(recursive=True))
            time.sleep(0.005)


def _let_go_of_output() -> None:
    """Leave the pipe to the step, so that whoever reads it sees its end."""
    null = os.open(os.devnull, os.O_RDWR)
    for number in (1, 2):
        os.dup2(null, number)
    os.close(null)


def _prctl(option: int, value: int) -> None:
    if sys.platform == "linux" and ctypes.CDLL(None).prctl(option, value, 0, 0, 0) != 0:
        raise OSError(f"prctl({option}) failed")
