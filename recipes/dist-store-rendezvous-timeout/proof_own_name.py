"""One machine, whose own name torchrun tells its processes."""

from __future__ import annotations

import ctypes
import os
from pathlib import Path

from failure import launch

from fixbook.recipe import measure, snippet_text
from fixbook.recipe.helpers import on_hosts


def alone(option: str) -> dict[str, float]:
    """Launch two processes on a machine that is called 6841231, and which no network reaches."""
    command = snippet_text("own-name").replace("--local-addr=127.0.0.1", option)

    def work() -> None:
        ctypes.CDLL(None).sethostname(b"6841231", 7)
        os.environ["OMP_NUM_THREADS"] = "1"
        launch(command)

    try:
        if any(on_hosts(work, patience_s=25)):
            raise SystemExit(1)
    finally:
        measure(started=len(list(Path().glob("started-*"))))
    return {"sum": float(Path("sum").read_text("utf-8"))}
