"""What a command is given instead of the reader's own output, so that it can be copied."""

from __future__ import annotations

import contextlib
import fcntl
import os
import pty
import stat
import termios
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

STDIN, STDOUT, STDERR = 0, 1, 2
_NAMES = {STDOUT: "stdout", STDERR: "stderr"}
_PIPE_BYTES = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Channel:
    """A way from the command to the reader's own output.

    Attributes:
        name: What it is called: stdout, stderr, or output where both are the same.
        source: Where the relay reads.
        target: The reader's own stream.
        end: What the command writes to.
        covers: Which of the command's streams it is.
        terminal: Whether it is a terminal, as the reader's own is.
    """

    name: str
    source: int
    target: int
    end: int
    covers: tuple[int, ...]
    terminal: bool


def closed() -> set[int]:
    """Return which of our three streams are closed, and hold their numbers with nothing."""
    found = {number for number in (STDIN, STDOUT, STDERR) if not _open(number)}
    for number in sorted(found):
        nothing = os.open(os.devnull, os.O_RDWR)
        if nothing != number:
            os.dup2(nothing, number, inheritable=False)
            os.close(nothing)
    return found


def _open(number: int) -> bool:
    try:
        os.fstat(number)
    except OSError:
        return False
    return True


def channels(shut: set[int]) -> list[Channel]:
    """Open a channel for each output; one for both where both lead to the same place.

    Two would lose the order of what is written to one file.

    Args:
        shut: The streams that are closed and stay so.
    """
    open_ones = [number for number in (STDOUT, STDERR) if number not in shut]
    if len(open_ones) > 1 and _same(STDOUT, STDERR):
        return [_channel("output", STDOUT, (STDOUT, STDERR))]
    return [_channel(_NAMES[number], number, (number,)) for number in open_ones]


def _same(one: int, other: int) -> bool:
    first, second = os.fstat(one), os.fstat(other)
    if stat.S_ISCHR(first.st_mode) and stat.S_ISCHR(second.st_mode):
        return first.st_rdev == second.st_rdev
    return os.path.samestat(first, second)


def _channel(name: str, target: int, covers: tuple[int, ...]) -> Channel:
    terminal = os.isatty(target)
    source, end = _terminal(target) if terminal else os.pipe()
    if not terminal:
        wide(source)
    return Channel(name, source, target, end, covers, terminal)


def wide(pipe: int) -> None:
    """Let a pipe hold more, so that its two sides wake each other less often."""
    with contextlib.suppress(OSError):  # more than the system lets one user have
        fcntl.fcntl(pipe, fcntl.F_SETPIPE_SZ, _PIPE_BYTES)


def _terminal(like: int) -> tuple[int, int]:
    """Open a terminal that is set as another one, and changes nothing of what is written."""
    source, end = pty.openpty()
    for one in (source, end):
        os.set_inheritable(one, False)  # noqa: FBT003
    settings = termios.tcgetattr(like)
    settings[1] &= ~termios.OPOST  # the reader's own terminal does that
    settings[3] &= ~termios.ECHO
    termios.tcsetattr(end, termios.TCSANOW, settings)
    copy_size(like, source)
    return source, end


def copy_size(like: int, to: int) -> None:
    """Give a terminal the size of another one."""
    with contextlib.suppress(OSError):
        size = fcntl.ioctl(like, termios.TIOCGWINSZ, bytes(8))
        fcntl.ioctl(to, termios.TIOCSWINSZ, size)


def resize(opened: Sequence[Channel]) -> None:
    """Give each terminal of a command the size of the reader's own."""
    for channel in opened:
        if channel.terminal:
            copy_size(channel.target, channel.source)


def descriptors(opened: Sequence[Channel], shut: set[int]) -> list[tuple[int, ...]]:
    """Return what a new process does with its streams, for `os.posix_spawn`."""
    actions: list[tuple[int, ...]] = [
        (os.POSIX_SPAWN_DUP2, channel.end, number)
        for channel in opened
        for number in channel.covers
    ]
    return [*actions, *((os.POSIX_SPAWN_CLOSE, number) for number in sorted(shut))]
