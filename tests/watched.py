"""Run commands plain, watched, and on a terminal of their own."""

from __future__ import annotations

import os
import pty
import select
import signal
import subprocess
import sys
import termios
import time
from typing import TYPE_CHECKING

from tests.waiting import LONG_S

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

WATCH = (sys.executable, "-m", "fixbook", "watch")
SAID = b"fixbook watch:"  # how each line of ours begins


def watched(folder: Path, command: Sequence[str], *options: str) -> list[str]:
    """Return the command line that watches a command and keeps what it prints in a folder."""
    return [*WATCH, "--quiet", "--folder", str(folder), *options, "--", *command]


def run(
    command: Sequence[str], stdin: bytes | None = None, **more: object
) -> subprocess.CompletedProcess[bytes]:
    """Run a command with its output in pipes, as in a job of a scheduler."""
    given: dict[str, object] = {"input": stdin} if stdin is not None else {}
    if stdin is None:
        given = {"stdin": subprocess.DEVNULL}
    given |= more
    return subprocess.run(command, capture_output=True, check=False, timeout=LONG_S, **given)  # type: ignore[call-overload, no-any-return]


def own_words(done: subprocess.CompletedProcess[bytes]) -> bytes:
    """Return what a command wrote on stderr, without what is ours."""
    return done.stderr.partition(SAID)[0]


def heed() -> None:
    """Give signals their meaning back: a suite started in the background ignores Ctrl-C."""
    for number in (signal.SIGINT, signal.SIGQUIT, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)


class Terminal:
    """A command on a terminal of its own."""

    def __init__(self, command: Sequence[str], size: tuple[int, int] = (30, 100)) -> None:
        self.printed = b""
        self.pid, self.master = pty.fork()
        if self.pid == 0:
            termios.tcsetwinsize(0, size)
            heed()
            os.execvp(command[0], list(command))  # noqa: S606

    def until(self, told: Callable[[bytes], bool]) -> bytes:
        """Read until what was printed is enough, or the terminal is closed."""
        deadline = time.monotonic() + LONG_S
        while not told(self.printed):
            assert time.monotonic() < deadline, self.printed
            if select.select([self.master], [], [], 1)[0]:
                try:
                    data = os.read(self.master, 65536)
                except OSError:
                    break
                self.printed += data
                if not data:
                    break
        return self.printed

    def press(self, keys: bytes) -> None:
        os.write(self.master, keys)

    def end(self) -> int:
        """Read to the end and return the code, negative for a signal."""
        self.until(lambda _printed: False)
        _, status = os.waitpid(self.pid, 0)
        os.close(self.master)
        return os.waitstatus_to_exitcode(status)


def on_terminal(command: Sequence[str]) -> tuple[bytes, int]:
    """Run a command on a terminal; return what it shows and how it ended."""
    terminal = Terminal(command)
    code = terminal.end()
    return terminal.printed, code
