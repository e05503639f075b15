"""An actor of Ray whose process ends, in one way or another, at its third step."""

from __future__ import annotations

import contextlib
import ctypes
import os
import shutil
import signal
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import ray

if TYPE_CHECKING:
    from collections.abc import Iterator


@contextlib.contextmanager
def cluster(*, actor_lines: bool = True) -> Iterator[Path]:
    """Start Ray on this machine, for one actor; yield the folder of its logs, and end it.

    What the actor prints reaches the driver whenever it does, between any two lines of its own.
    """
    folder = Path(tempfile.mkdtemp(prefix="ray", dir="/tmp"))  # its sockets need a short path
    ray.init(num_cpus=1, include_dashboard=False, object_store_memory=80 << 20,
             logging_level="error", log_to_driver=actor_lines, _temp_dir=str(folder))  # fmt: skip
    try:
        yield folder / "session_latest/logs"
    finally:
        ray.shutdown()
        shutil.rmtree(folder, ignore_errors=True)


def trainer(how: str, *, restore: bool = False) -> type:
    """Return the class of the actor; it keeps its steps in memory, and in a file."""
    file, mark = Path("steps").resolve(), Path("ended").resolve()

    class Trainer:
        def __init__(self) -> None:
            if how == "raised":
                raise ValueError("no such model")
            self.steps = int(file.read_text()) if restore and file.exists() else 0

        def pid(self) -> int:
            return os.getpid()

        def train(self) -> int:
            if self.steps == 2 and not mark.exists():  # once
                mark.touch()
                if how == "killed":
                    os.kill(os.getpid(), signal.SIGKILL)
                if how == "crashed":
                    ctypes.string_at(0)
                os._exit(3)
            self.steps += 1
            file.write_text(str(self.steps))
            return self.steps

    return Trainer


def train(actor: Any) -> list[int]:
    """Train three steps, and return what the actor counts."""
    return [ray.get(actor.train.remote()) for _ in range(3)]
