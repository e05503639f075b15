"""Start a training from an interactive shell in a real terminal, and close the terminal."""

from __future__ import annotations

import os
import pty
import shutil
import signal
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

from fixbook.recipe import measure, snippet, snippet_text

LONG = 120.0
TORCHRUN = "torchrun --standalone --nproc-per-node 8 train.py > train.log 2>&1 &"
PYTHON = "python train.py > train.log 2>&1 &"


def closed(line: str = "", *, mend: str = "", later: str = "") -> dict[str, Any]:
    """Type a line into a shell, close its terminal while the training runs, and look.

    Args:
        line: What is typed.
        mend: The snippet whose text is typed instead.
        later: The snippet whose text is typed once the training runs.
    """
    shutil.copy(Path(__file__).with_name("failure.py"), "train.py")
    shell, terminal = _shell()
    os.write(terminal, (snippet_text(mend) if mend else line + "\n").encode())
    _wait(lambda: _step() > 0, terminal)
    if later:
        os.write(terminal, f"{snippet_text(later)}touch typed.txt\n".encode())
        _wait(Path("typed.txt").exists, terminal)
    pid = int(Path("pid.txt").read_text())
    exposed = snippet("ask", pid=pid)["exposed"]
    nohup = str(Path(f"/proc/{pid}/fd/0").readlink()) == "/dev/null"  # it takes the input away
    os.close(terminal)  # what closing the window or losing the connection does
    os.waitpid(shell, 0)
    alive = _goes_on()
    log = Path("train.log").read_text()
    measure(nohup=nohup, found=exposed, goes_on=alive, lines=len(log.splitlines()))
    if alive:
        _end(pid)
    elif log:
        print(log)
        raise SystemExit(1)
    return {}


def _shell() -> tuple[int, int]:
    """Start an interactive shell in a terminal of its own."""
    shell, terminal = pty.fork()
    if shell == 0:
        os.environ["PATH"] = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
        os.execvp("bash", ["bash", "--norc", "-i"])  # noqa: S606 - the reader's shell
    return shell, terminal


def _step() -> int:
    with suppress(OSError, ValueError):
        return int(Path("steps.txt").read_text())
    return 0


def _wait(ready: Any, terminal: int) -> None:
    """Wait until the training runs; what the shell prints is read, so that it never blocks."""
    os.set_blocking(terminal, False)
    end = time.monotonic() + LONG
    while not ready():
        with suppress(OSError):
            os.read(terminal, 4096)
        if time.monotonic() > end:
            raise TimeoutError(Path("train.log").read_text()[-2000:])
        time.sleep(0.05)


def _goes_on() -> bool:
    """Whether steps are still made: true after twenty more, false when none comes for long."""
    first, last, since = _step(), _step(), time.monotonic()
    while time.monotonic() - since < 10:
        now = _step()
        if now >= first + 20:
            return True
        if now != last:
            last, since = now, time.monotonic()
        time.sleep(0.05)
    return False


def _end(pid: int) -> None:
    """End the training that was left running, by its own process group."""
    with suppress(ProcessLookupError):
        os.killpg(os.getpgid(pid), signal.SIGTERM)
