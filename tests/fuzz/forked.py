"""Run a case in a process forked from this one, which has imported everything already."""

from __future__ import annotations

import io
import os
import resource
import signal
import sys
import traceback
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from tests.fuzz.cases import Case

CPU_S = 20  # seconds of processor time
WALL_S = 120  # seconds, after which a run that waits for something is ended
ROOM = 4 * 1024**3  # bytes of addresses
_LARGEST = 64 * 1024**2  # bytes of a file that it writes


@dataclass(frozen=True, slots=True)
class Ended:
    """How a run ended.

    Attributes:
        code: Its exit code; negative, the signal that ended it.
        out: What it printed.
        err: What it said besides.
        seconds: Processor time.
        grown: Bytes of memory beyond what the parent had.
    """

    code: int
    out: bytes
    err: bytes
    seconds: float
    grown: int


def run(case: Case, folder: Path, said: Path) -> Ended:
    """Run a case.

    Args:
        case: The case; its files lie in the folder already.
        folder: Where it runs.
        said: Folder for what it prints.
    """
    (said / "stdin").write_bytes(case.stdin or b"")
    feed = os.pipe() if case.stdin is not None else None
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    pid = os.fork()
    if pid == 0:
        _child(case, folder, said, feed)
    feeder = _feed(feed, case.stdin or b"") if feed else 0
    _pid, status, usage = os.wait4(pid, 0)
    if feeder:
        os.waitpid(feeder, 0)
    out, err = ((said / name).read_bytes() for name in ("out", "err"))
    seconds = usage.ru_utime + usage.ru_stime
    grown = max(0, usage.ru_maxrss - before) * 1024
    return Ended(os.waitstatus_to_exitcode(status), out, err, seconds, grown)


def _feed(pipe: tuple[int, int], content: bytes) -> int:
    """Write into the pipe from a process of its own, which ends with its reader."""
    pid = os.fork()
    if pid == 0:
        os.close(pipe[0])
        try:
            with os.fdopen(pipe[1], "wb") as out:
                out.write(content)
        finally:
            os._exit(0)
    os.close(pipe[0])
    os.close(pipe[1])
    return pid


def _child(case: Case, folder: Path, said: Path, feed: tuple[int, int] | None) -> None:
    code = 99  # this program's own mistake
    try:
        for name, number in (("out", 1), ("err", 2)):
            os.dup2(os.open(said / name, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), number)
        sys.stdout, sys.stderr = (
            io.TextIOWrapper(os.fdopen(n, "wb"), "utf-8", errors=errors, write_through=True)
            for n, errors in ((1, "strict"), (2, "backslashreplace"))
        )
        if feed:
            os.close(feed[1])
            os.dup2(feed[0], 0)
            sys.stdin = io.TextIOWrapper(os.fdopen(0, "rb"), "utf-8")
        else:
            sys.stdin = None
        os.chdir(folder)
        if case.book:
            os.environ["FIXBOOK_BOOK"] = str(folder / "book")
        _bound()
        code = _main(case)
    except BaseException:  # noqa: BLE001  (whatever it is, this process ends here)
        traceback.print_exc()
    finally:
        for stream in (sys.stdout, sys.stderr):
            try:
                stream.flush()
            except (OSError, ValueError):
                code = 98
        os._exit(code)


def _main(case: Case) -> int:
    sys.argv = [case.program, *map(os.fsdecode, case.argv)]
    from fixbook.cli import main as fixbook  # noqa: PLC0415
    from generator.__main__ import main as generator  # noqa: PLC0415

    try:
        if case.program == "fixbook":
            fixbook()
        else:
            generator(prog_name="generator")
    except SystemExit as ended:
        return ended.code if isinstance(ended.code, int) else 1
    return 0


def _bound() -> None:
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.alarm(WALL_S)
    for what, most in (
        (resource.RLIMIT_CPU, CPU_S),
        (resource.RLIMIT_AS, ROOM),
        (resource.RLIMIT_FSIZE, _LARGEST),
        (resource.RLIMIT_CORE, 0),
    ):
        resource.setrlimit(what, (most, most))
