"""Wait for a command: its signals passed on, its children reaped, others called in between."""

from __future__ import annotations

import contextlib
import os
import signal
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from fixbook.watch.streams import resize

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from fixbook.watch.streams import Channel

_PASSED_ON = (
    *(signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT),
    *(signal.SIGUSR1, signal.SIGUSR2, signal.SIGALRM, signal.SIGCONT),
)
_OURS = (signal.SIGCHLD, signal.SIGTSTP, signal.SIGWINCH)
_FROM_A_TERMINAL = {signal.SIGTSTP, signal.SIGTTIN, signal.SIGTTOU}
_BY_A_PROCESS = 0  # code of a signal that the kernel has not sent by itself; below it, too
_DRAIN_S = 0.2
_SOONER = 8  # times, for the first look


@dataclass(slots=True)
class Reaped:
    """A process of the run that we were told the end of.

    Attributes:
        status: As `os.wait4` gives it.
        peak_kib: The most memory that it, or one that it waited for, had resident.
    """

    status: int
    peak_kib: int


@dataclass(slots=True)
class Waiter:
    """Waits for one command.

    Attributes:
        command: Its process.
        reaped: The ends that we were told of, by process.
        asleep: Seconds for which we were stopped.
    """

    opened: Sequence[Channel]
    every: float
    mask: set[int] = field(default_factory=set)
    command: int = 0
    reaped: dict[int, Reaped] = field(default_factory=dict)
    asleep: float = 0

    def block(self) -> None:
        """Take signals one by one from now on; call it before the command is started."""
        taken = [one for one in _PASSED_ON if signal.getsignal(one) != signal.SIG_IGN]
        self.mask = set(signal.pthread_sigmask(signal.SIG_BLOCK, [*taken, *_OURS]))

    def unblock(self) -> None:
        """Take them as any other process does."""
        signal.pthread_sigmask(signal.SIG_SETMASK, self.mask)

    def until_ended(self, look: Callable[[], None]) -> int:
        """Wait until the command has ended; return its status.

        Args:
            look: Called about every so many seconds.
        """
        waited = set(_PASSED_ON) | set(_OURS)
        pause = self.every / _SOONER  # a short run is looked at, too
        due = time.monotonic() + pause
        while self.command not in self.reaped:
            left = max(0.0, due - time.monotonic())
            caught = signal.sigtimedwait(waited, left)
            if caught is None:
                look()
                pause = min(self.every, pause * 2)
                due = time.monotonic() + pause
            elif caught.si_signo == signal.SIGCHLD:
                self.reap()
            else:
                self._pass_on(signal.Signals(caught.si_signo), caught.si_code)
        return self.reaped[self.command].status

    def until_copied(self, finished: Callable[[float], bool]) -> None:
        """Wait until all that it printed is copied; a signal to us ends that."""
        while not finished(_DRAIN_S):
            caught = signal.sigtimedwait(set(_PASSED_ON), 0)
            if caught is not None and caught.si_signo != signal.SIGCONT:
                return

    def reap(self) -> None:
        """Take note of every child that has ended, or has stopped."""
        while True:
            try:
                pid, status, used = os.wait4(-1, os.WNOHANG | os.WUNTRACED)
            except ChildProcessError:
                return
            if pid == 0:
                return
            if not os.WIFSTOPPED(status):
                self.reaped[pid] = Reaped(status, used.ru_maxrss)
            elif pid == self.command and os.WSTOPSIG(status) in _FROM_A_TERMINAL:
                self._stop()

    def _stop(self) -> None:
        """Stop as the command has, so that the shell gets its terminal back."""
        since = time.monotonic()
        os.kill(os.getpid(), signal.SIGSTOP)
        self.asleep += time.monotonic() - since
        self._send(signal.SIGCONT)

    def _pass_on(self, number: signal.Signals, code: int) -> None:
        if number == signal.SIGWINCH:
            resize(self.opened)
        # What a terminal sends reaches the whole group by itself, and the command with it.
        if code <= _BY_A_PROCESS:
            self._send(number)
        elif number == signal.SIGWINCH and any(one.terminal for one in self.opened):
            self._send(number)  # it may have asked for the size before we copied it

    def _send(self, number: signal.Signals) -> None:
        if self.command not in self.reaped:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.command, number)
