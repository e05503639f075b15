"""The relay: a process of its own that copies a command's output, and does nothing else.

It runs in a session of its own and outlives the watcher, so that the command never writes into a
pipe that nobody reads. Copying never waits for the reader of values.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from fixbook.watch.shelf import MOST_BYTES, Shelf
from fixbook.watch.streams import wide

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from fixbook.watch.shared import Tally
    from fixbook.watch.streams import Channel

_CHUNK = 256 * 1024
# Lines that come faster than this are copied together: each waking costs more than the copying.
_GATHER_S, _LITTLE = 0.05, 64 * 1024
_IGNORED = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT, signal.SIGPIPE)
_ENDED = b"e"  # from the watcher: the command has ended
_DONE = b"d"  # to the watcher: all that it had printed by then is copied and kept


@dataclass(slots=True)
class Relay:
    """The watcher's side of it.

    Attributes:
        pid: Its process.
        values: Where the watcher reads what was printed, as far as it keeps up.
    """

    pid: int
    values: int
    _control: int
    _done: int

    def command_ended(self) -> None:
        """Ask it to finish with what has been printed."""
        with contextlib.suppress(OSError):
            os.write(self._control, _ENDED)

    def finished(self, seconds: float) -> bool:
        """Wait at most so long for it to have done so."""
        ready, _, _ = select.select([self._done], [], [], seconds)
        return bool(ready)  # also if it is gone


def start_relay(
    opened: Sequence[Channel], folder: Path | None, tally: Tally, most: int = MOST_BYTES
) -> Relay:
    """Start the relay, before the command.

    Args:
        opened: What it copies.
        folder: Where it keeps what was printed; None for nowhere.
        tally: What it counts.
        most: Most bytes that it keeps of each stream.
    """
    place = folder.absolute() if folder else None  # the relay leaves the current folder
    values, to_values = os.pipe()
    control, to_relay = os.pipe()
    done, to_watcher = os.pipe()
    wide(values)
    os.set_blocking(to_values, False)
    os.set_blocking(values, False)
    pid = os.fork()
    if pid == 0:
        try:
            for own in (values, to_relay, done, *(channel.end for channel in opened)):
                os.close(own)
            _alone(opened)
            shelves = {
                channel.source: Shelf(place / f"{channel.name}.log", most)
                for channel in opened
                if place
            }
            _Copy(opened, shelves, tally, to_values, control, to_watcher).run()
        finally:
            os._exit(0)
    pipes = [channel.source for channel in opened if not channel.terminal]
    for other in (to_values, control, to_watcher, *pipes):
        os.close(other)
    return Relay(pid, values, to_relay, done)


def _alone(opened: Sequence[Channel]) -> None:
    """Leave what may end it or be held by it: session, signals, input, folder."""
    os.setsid()
    for number in _IGNORED:
        signal.signal(number, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_SETMASK, ())
    os.chdir("/")
    nothing = os.open(os.devnull, os.O_RDWR)
    used = {channel.target for channel in opened}
    for unused in {0, 1, 2} - used:
        os.dup2(nothing, unused)


@dataclass(slots=True)
class _Copy:
    opened: Sequence[Channel]
    shelves: dict[int, Shelf]
    tally: Tally
    values: int
    control: int
    done: int
    _torn: bool = False
    _left_out: int = 0
    _copied_at: float = 0.0
    _much: bool = False
    _targets: dict[int, int] = field(default_factory=dict)

    def run(self) -> None:
        self._targets = {channel.source: channel.target for channel in self.opened}
        sources, ended, told, watched = set(self._targets), False, False, True
        poll = select.poll()
        for one in (*sources, self.control):
            poll.register(one, select.POLLIN)
        while sources or (watched and not ended):
            ready = [number for number, _ in poll.poll(0 if ended and not told else None)]
            for number in ready:
                if number == self.control:
                    poll.unregister(number)
                    ended = os.read(number, 1) == _ENDED
                    watched = ended
                elif not self._copy(number):
                    poll.unregister(number)
                    self._shut(number)
                    sources.discard(number)
            if ended and not told and not set(ready) & sources:
                self._finish()
                told = True
            elif not ended:
                self._gather(set(ready) & sources)
        self._finish()

    def _gather(self, copied: set[int]) -> None:
        """Wait a little where lines come one upon the other; a terminal shows each at once."""
        if not copied or any(channel.terminal for channel in self.opened):
            return
        before, self._copied_at = self._copied_at, time.monotonic()
        if self._copied_at - before < _GATHER_S and not self._much:
            time.sleep(_GATHER_S)
            self._copied_at = time.monotonic()
        self._much = False

    def _copy(self, source: int) -> bool:
        """Copy what can be read; tell whether there may be more."""
        try:
            data = os.read(source, _CHUNK)
        except OSError:  # a terminal whose last writer has gone
            return False
        if not data:
            return False
        self.tally.passed(len(data))
        self._much |= len(data) >= _LITTLE
        goes_on = self._pass_on(source, data)
        if source in self.shelves:
            self.shelves[source].keep(data)
        self._offer(data)
        return goes_on

    def _shut(self, source: int) -> None:
        """Let go of both ends, so that whoever reads behind us sees the end as well."""
        os.close(source)
        nothing = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nothing, self._targets[source] if self._targets[source] >= 0 else nothing)

    def _pass_on(self, source: int, data: bytes) -> bool:
        target, rest = self._targets[source], memoryview(data)
        while rest and target >= 0:
            try:
                rest = rest[os.write(target, rest) :]
            except BlockingIOError:
                select.select([], [target], [])
            except BrokenPipeError:
                return False  # so the command is told the same, as it would be without
            except OSError:  # a terminal that was closed, a full disk: the command goes on
                target = self._targets[source] = -1
        return True

    def _offer(self, data: bytes) -> None:
        """Give it to the reader of values, if that has read what it was given before."""
        if self.values < 0:
            return
        offered = (b"\n" if self._torn else b"") + data
        try:
            written = os.write(self.values, offered)
        except BlockingIOError:
            written = 0
        except OSError:  # there is no watcher any more
            os.close(self.values)
            self.values = -1
            return
        self._torn = written < len(offered)
        self.tally.unread(min(len(data), len(offered) - written))

    def _finish(self) -> None:
        for shelf in self.shelves.values():
            shelf.close()
        left_out = sum(shelf.left_out for shelf in self.shelves.values())
        self.tally.kept_out(left_out - self._left_out)
        self._left_out = left_out
        with contextlib.suppress(OSError):
            os.write(self.done, _DONE)
