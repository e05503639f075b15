"""Start a command as a shell would, and end as it ended."""

from __future__ import annotations

import contextlib
import ctypes
import errno
import os
import resource
import signal
from typing import TYPE_CHECKING, NoReturn

from fixbook.watch.streams import STDIN, STDOUT, descriptors

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from fixbook.watch.streams import Channel

NOT_FOUND, NOT_EXECUTABLE = 127, 126  # as shells say it
_SUBREAPER = 36  # PR_SET_CHILD_SUBREAPER
_BY_PYTHON = (signal.SIGPIPE, signal.SIGXFSZ)  # which it ignores, and a command must not


class StartError(Exception):
    """The command could not be started.

    Attributes:
        code: What a shell would end with.
    """

    def __init__(self, said: str, code: int) -> None:
        super().__init__(said)
        self.code = code


def adopt_orphans() -> None:
    """Become the parent of processes below us whose own parent ends, as far as the system can."""
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(_SUBREAPER, 1, 0, 0, 0)


def start(
    command: Sequence[str],
    opened: Sequence[Channel],
    shut: set[int],
    variables: Mapping[str, str],
    mask: set[int],
) -> int:
    """Start a command, in our own group and session; return its process.

    Args:
        command: Its name and arguments.
        opened: Where its output goes.
        shut: Which of its three streams are closed, as our own were.
        variables: What is set for it, besides our own environment.
        mask: The signals that were blocked when we were started.

    Raises:
        StartError: There is no such command, or it cannot be run.
    """
    for attempt in (list(command), ["/bin/sh", *command]):
        try:
            pid = os.posix_spawnp(
                attempt[0],
                attempt,
                {**os.environ, **variables},
                file_actions=descriptors(opened, shut),
                setsigdef=_BY_PYTHON,
                setsigmask=mask,
            )
        except OSError as error:
            if error.errno == errno.ENOEXEC and attempt[0] == command[0]:
                continue  # a script that does not name its shell
            code = NOT_FOUND if error.errno == errno.ENOENT else NOT_EXECUTABLE
            raise StartError(os.strerror(error.errno or 0), code) from None
        break
    for channel in opened:
        os.close(channel.end)
    nothing = os.open(os.devnull, os.O_RDWR)
    for number in (STDIN, STDOUT):  # whoever is on their other side must see them close
        os.dup2(nothing, number)
    os.close(nothing)
    return pid


def end_as(status: int) -> NoReturn:
    """End with the exit code of another process, or by the signal that ended it."""
    if os.WIFSIGNALED(status):
        number = os.WTERMSIG(status)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))  # one core dump is enough
        with contextlib.suppress(OSError, ValueError):
            signal.signal(number, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, [number])
        os.kill(os.getpid(), number)
        os._exit(128 + number)  # it does not end a process by itself
    os._exit(os.waitstatus_to_exitcode(status))
