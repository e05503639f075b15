"""Stacks and flight recorders of processes that were started with our hook: no tracing needed."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from fixbook.run_files.groups import Frame
from fixbook.run_files.ranks import judge_dumps
from fixbook.run_files.recorder import dumps_in

if TYPE_CHECKING:
    from collections.abc import Iterable

    from fixbook.run_files.finding import Finding
    from fixbook.run_files.groups import Stack

PLACE, PATHS = "FIXBOOK_STACKS", "PYTHONPATH"
HERE = Path(__file__).parent / "hook"
_DUMP = "nccl_trace_rank_"
_SIGNAL = 6  # above SIGRTMIN, as in the hook
_PATIENCE_S = 5.0
_DUMP_S = 30.0  # it symbolises what it holds
_STEP_S = 0.02
_MOST_BYTES = 4 * 1024 * 1024
_MAIN = re.compile(r"^main ([0-9a-f]{1,16})$", re.MULTILINE)
_THREAD = re.compile(r"^(?:Current thread|Thread) 0x([0-9a-f]{1,16})\b.*:$")
_FRAME = re.compile(r'^  File "([^"\n]{1,400})", line (\d{1,7}) in (\S{1,200})$')


def variables(folder: Path) -> dict[str, str]:
    """Return what is set for a command so that its Python processes load the hook.

    Args:
        folder: That of the run.
    """
    place = folder.absolute() / "stacks"
    place.mkdir(mode=0o700, exist_ok=True)
    paths = os.environ.get(PATHS)
    return {PATHS: f"{HERE}{os.pathsep}{paths}" if paths else str(HERE), PLACE: str(place)}


def clear(folder: Path) -> None:
    """Take away what processes have answered, but for their recorders' dumps."""
    place = folder / "stacks"
    with contextlib.suppress(OSError):
        for path in place.iterdir():
            if not path.name.startswith(_DUMP):
                path.unlink()
        place.rmdir()  # if nothing is left


@dataclass(slots=True)
class Hook:
    """Asks the processes that have loaded it.

    Attributes:
        place: Where they answer.
        answers: How many stacks they have written there.
    """

    place: Path
    name: str = "hook"
    answers: int = 0

    def stack(self, pid: int) -> Stack | None:
        """Return where the main thread of a process is; None if it does not answer."""
        path = self.place / str(pid)
        number = signal.SIGRTMIN + _SIGNAL
        if not path.is_file() or not _catches(pid, number):
            return None
        with contextlib.suppress(OSError):
            main = _MAIN.findall(path.read_text("utf-8", "replace")[:_MOST_BYTES])
            # Kept for the next time, as what was there is taken away.
            path.write_text(f"main {main[-1]}\n" if main else "", "utf-8")
            begin = path.stat().st_size
            os.kill(pid, number)
            self.answers += 1
            said = _grown(path, begin)
            return _of_faulthandler(said, int(main[-1], 16) if main else None)
        return None

    def dumps(self, pids: Iterable[int]) -> list[Finding]:
        """Ask each process for its flight recorder; return what the ranks' dumps show."""
        for old in self.place.glob(f"{_DUMP}*"):
            old.unlink(missing_ok=True)
        asked = sum(_ask(self.place / f"{pid}.ask") for pid in pids)
        deadline = time.monotonic() + _DUMP_S
        found: list[Path] = []
        while len(found) < asked and time.monotonic() < deadline:
            time.sleep(_STEP_S)
            found = [one for one in self.place.glob(f"{_DUMP}*") if not one.suffix]
        return judge_dumps(dumps_in(sorted(found), []))


def _ask(fifo: Path) -> bool:
    """Wake the thread that waits there; tell whether there is one."""
    try:
        end = os.open(fifo, os.O_WRONLY | os.O_NONBLOCK)
    except OSError:
        return False
    with contextlib.suppress(OSError):
        os.write(end, b"d")
    os.close(end)
    return True


def _catches(pid: int, number: int) -> bool:
    """Whether a process has a handler for a signal; without one it would be killed by it."""
    with contextlib.suppress(OSError, ValueError):
        for line in Path(f"/proc/{pid}/status").read_text("utf-8", "replace").splitlines():
            if line.startswith("SigCgt:"):
                return bool(int(line.split()[1], 16) >> (number - 1) & 1)
    return False


def _grown(path: Path, begin: int) -> str:
    """Wait until a file grows, and then no more; return what it has gained."""
    deadline = time.monotonic() + _PATIENCE_S
    size, still = begin, 0
    while time.monotonic() < deadline and (size == begin or still < 3):  # noqa: PLR2004
        time.sleep(_STEP_S)
        now = path.stat().st_size
        still = still + 1 if now == size else 0
        size = now
    with path.open("rb") as file:
        file.seek(begin)
        return file.read(_MOST_BYTES).decode("utf-8", "replace")


def _of_faulthandler(said: str, main: int | None) -> Stack | None:
    threads: dict[int, list[Frame]] = {}
    frames: list[Frame] = []
    for line in said.splitlines():
        if thread := _THREAD.match(line):
            frames = threads.setdefault(int(thread[1], 16), [])
        elif found := _FRAME.match(line):
            frames.append(Frame(found[1], int(found[2]), found[3]))
    if not threads:
        return None
    last = next(reversed(threads))  # the first thread of a process is printed last
    return tuple(threads[main if main in threads else last]) or None
