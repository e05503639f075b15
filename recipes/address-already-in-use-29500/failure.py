"""Start a training on a port, as torchrun, a launcher of one's own, and a second job do."""

from __future__ import annotations

import os
import shlex
from pathlib import Path
from typing import Any

import torch
import torch.distributed as dist
from torch.distributed import run

TRAIN = """
import os
from pathlib import Path

import torch
import torch.distributed as dist

Path("started").write_text(os.environ["MASTER_PORT"])
dist.init_process_group("gloo")
total = torch.ones(1)
dist.all_reduce(total)
Path("total").write_text(str(total.item()))
dist.destroy_process_group()
"""


def launch(command: str) -> None:
    """Launch a training with a command of torchrun."""
    Path("train.py").write_text(TRAIN, "utf-8")
    run.main(shlex.split(command)[1:])


def first_job(port: int = 0) -> Any:
    """Hold a port as a job that runs, or was left over, does."""
    library: Any = dist  # what it exports is not declared
    return library.TCPStore("127.0.0.1", port, is_master=True, wait_for_workers=False)


def join(port: int, rank: int = 0, world: int = 1) -> float:
    """Join the group that the environment describes, as a script under its own launcher does."""
    os.environ |= {"MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(port)}
    os.environ |= {"RANK": str(rank), "WORLD_SIZE": str(world)}
    dist.init_process_group("gloo")
    total = torch.ones(1)
    dist.all_reduce(total)
    return total.item()
