"""A training whose process ends in one of several ways, as torchrun reports it."""

from __future__ import annotations

from pathlib import Path

from torch.distributed import run

TRAIN = """
import ctypes, faulthandler, os, signal, sys
from pathlib import Path

RANK = int(os.environ["RANK"])

def read_row(way):
    if way == "segfault":
        ctypes.string_at(0)
    elif way == "error":
        raise ValueError("row 17 is broken")
    elif way == "quiet":
        os._exit(1)
    elif way == "leave":
        sys.exit(1)
    elif way == "early":
        sys.exit()
    elif way != "fine":
        os.kill(os.getpid(), getattr(signal, way))

def main():
    Path(f"handler-{RANK}").write_text(str(faulthandler.is_enabled()))
    if RANK == 0:
        read_row("WAY")
    Path(f"finished-{RANK}").touch()

"""


def write(way: str, *, before: str = "", last: str = "main()\n") -> None:
    """Write the training; its rank 0 ends in one way."""
    Path("train.py").write_text(before + TRAIN.replace("WAY", way) + last, "utf-8")


def launch(*options: str) -> None:
    """Launch it with torchrun, on two ranks."""
    run.main(["--nproc-per-node=2", *options, "train.py"])
