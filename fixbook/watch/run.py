"""A watched run, from the start of the command to its end."""

from __future__ import annotations

import contextlib
import os
import shlex
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fixbook.watch import folder as folders
from fixbook.watch.command import adopt_orphans, start
from fixbook.watch.relay import start_relay
from fixbook.watch.shared import Tally
from fixbook.watch.streams import channels, closed
from fixbook.watch.wait import Waiter

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

UNBUFFERED = "PYTHONUNBUFFERED"
# Where NCCL's watchdog puts what the flight recorder holds, when a collective times out.
DUMPS, OLD_DUMPS = "TORCH_FR_DUMP_TEMP_FILE", "TORCH_NCCL_DEBUG_INFO_TEMP_FILE"


@dataclass(frozen=True, slots=True)
class Wish:
    """What is asked for of a run.

    Attributes:
        command: Its name and arguments.
        folder: Where to keep what it prints; None for nowhere.
        variables: What is set for it.
        every: Seconds between two looks at it.
        most: Most bytes that are kept of each stream.
    """

    command: Sequence[str]
    folder: Path | None
    variables: Mapping[str, str]
    every: float
    most: int


@dataclass(slots=True)
class Run:
    """A run that has been started.

    Attributes:
        wish: What was asked for.
        tally: What it has printed.
        waiter: Who waits for it.
        began: When it was started.
        values: Where what it prints can be read; it is lost where it is not read in time.
        relay: The process of the relay.
        status: How it ended, as `os.wait4` says it.
        rank: Of all that it prints, where all of it is one rank.
    """

    wish: Wish
    tally: Tally
    waiter: Waiter
    began: float
    values: int
    relay: int
    status: int | None = None
    rank: int | None = None
    ended: float | None = None
    seen: dict[str, Any] = field(default_factory=dict)

    @property
    def command(self) -> int:
        """The process of the command."""
        return self.waiter.command

    def note(self, **more: Any) -> None:
        """Write down what is known by now."""
        self.seen |= {
            "command": shlex.join(self.wish.command),
            "cwd": _cwd(),
            "variables": dict(self.wish.variables),
            "watcher": os.getpid(),
            "process": self.command,
            "began": self.began,
            "ended": self.ended,
            "status": self.status,
            "rank": self.rank,
            "printed": self.tally.total,
            "not_kept": self.tally.left_out,
            "not_read": self.tally.missed,
            **more,
        }
        folders.write(self.wish.folder, self.seen)


def variables_for(folder: Path | None, *, wanted: bool) -> dict[str, str]:
    """Return what is set for a command: nothing that changes what it does.

    Args:
        folder: That of the run.
        wanted: Whether anything may be set at all.
    """
    # Else the last words of a killed Python process are lost in its own buffer.
    wishes = {UNBUFFERED: "1"}
    if folder is not None and OLD_DUMPS not in os.environ:
        wishes[DUMPS] = str(folder.absolute() / "nccl_trace_rank_")
    return {name: one for name, one in wishes.items() if wanted and name not in os.environ}


def watch(wish: Wish, look: Callable[[Run], None], started: Callable[[Run], None]) -> Run:
    """Start a command, wait for it, and return what is known of its end.

    Args:
        wish: What is asked for.
        look: Called every so many seconds while it runs.
        started: Called once it is started.

    Raises:
        StartError: The command cannot be started.
    """
    shut = closed()
    opened = channels(shut)
    tally = Tally()
    waiter = Waiter(opened, wish.every)
    waiter.block()
    adopt_orphans()
    try:
        relay = start_relay(opened, wish.folder, tally, wish.most)
        waiter.command = start(wish.command, opened, shut, wish.variables, waiter.mask)
        run = Run(wish, tally, waiter, time.time(), relay.values, relay.pid)
        run.note()
        started(run)
        run.status = waiter.until_ended(lambda: look(run))
        run.ended = time.time()
        relay.command_ended()
        waiter.until_copied(relay.finished)
    finally:
        waiter.unblock()
    run.note()
    return run


def _cwd() -> str | None:
    with contextlib.suppress(OSError):
        return str(Path.cwd())
    return None
