"""A training whose process ends in one of several ways, as torchrun reports it."""

from __future__ import annotations

from pathlib import Path

from torch.distributed import run

TRAIN = """
import ctypes, os, signal, sys
from pathlib import Path

RANK = int(os.environ["RANK"])

def read_row(way):
    if way == "segfault":
        ctypes.string_at(0)
    elif way == "error":
        raise ValueError("row 17 is broken")
    elif way == "quiet":
        os._exit(1)
    elif way == "early":
        sys.exit()
    elif way != "fine":
        os.kill(os.getpid(), getattr(signal, way))

def main():
    if RANK == 0:
        read_row(sys.argv[1])
    Path(f"finished-{RANK}").touch()

"""
PLAIN = "main()\n"
RECORDED = """
from torch.distributed.elastic.multiprocessing.errors import record

recorded = record(main)
Path("recorded").write_text(recorded.__wrapped__.__name__)
recorded()
"""


def launch(
    way: str, *options: str, before: str = "", recorded: bool = False, ranks: int = 1
) -> None:
    """Launch the training with torchrun; rank 0 ends in one way."""
    script = before + TRAIN + (RECORDED if recorded else PLAIN)
    Path("train.py").write_text(script, "utf-8")
    run.main([f"--nproc-per-node={ranks}", *options, "train.py", way])
