"""An actor of Ray whose process ends, in one way or another, at its third step."""

from __future__ import annotations

import contextlib
import ctypes
import os
import shutil
import signal
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import ray

if TYPE_CHECKING:
    from collections.abc import Iterator


@contextlib.contextmanager
def cluster() -> Iterator[Path]:
    """Start Ray here for one actor, whose output stays in its files; yield their folder."""
    folder = Path(tempfile.mkdtemp(prefix="ray", dir="/tmp"))  # its sockets need a short path
    ray.init(num_cpus=1, include_dashboard=False, object_store_memory=80 << 20,
             logging_level="error", log_to_driver=False, _temp_dir=str(folder))  # fmt: skip
    try:
        yield folder / "session_latest/logs"
    finally:
        ray.shutdown()
        shutil.rmtree(folder, ignore_errors=True)


def trainer(how: str) -> type:
    """Return the class of the actor; it keeps its steps in memory."""
    mark = Path("ended").resolve()

    class Trainer:
        def __init__(self) -> None:
            if how == "raised":
                raise ValueError("no such model")
            self.steps, self.kept = 0, []

        def pid(self) -> int:
            return os.getpid()

        def train(self) -> int:
            if how == "grows":
                self.kept.append(b"x" * (32 << 20))
            elif how != "fine" and self.steps == 2 and not mark.exists():  # once
                mark.touch()
                if how == "killed":
                    os.kill(os.getpid(), signal.SIGKILL)
                if how == "crashed":
                    ctypes.string_at(0)
                os._exit(3)
            self.steps += 1
            return self.steps

    return Trainer
