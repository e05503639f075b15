"""Join a process group, as each process of a job does from what it was told."""

from __future__ import annotations

import os
import shlex
import time
from datetime import timedelta
from pathlib import Path

import torch
import torch.distributed as dist
from torch.distributed import run

GROUP = 'dist.init_process_group("gloo")'
TRAIN = """
import datetime, os
from pathlib import Path

Path(f"started-{{os.environ['RANK']}}").write_text(os.environ["WORLD_SIZE"])
import torch, torch.distributed as dist

{group}
total = torch.ones(1)
dist.all_reduce(total)
Path("sum").write_text(str(total.item()))
dist.destroy_process_group()
"""


def launch(command: str, group: str = GROUP) -> None:
    """Launch a training with a command of torchrun; ``group`` is its line for the group."""
    Path("train.py").write_text(TRAIN.format(group=group), "utf-8")
    run.main(shlex.split(command)[1:])


def join(
    port: int,
    rank: int,
    world: int = 2,
    address: str = "127.0.0.1",
    timeout_s: float = 2.0,
    late_s: float = 0.0,
) -> float:
    """Join, and add up a one of every process; ``late_s`` is what the process does before."""
    os.environ |= {"MASTER_ADDR": address, "MASTER_PORT": str(port)}
    os.environ |= {"RANK": str(rank), "WORLD_SIZE": str(world)}
    time.sleep(late_s)
    dist.init_process_group("gloo", timeout=timedelta(seconds=timeout_s))
    total = torch.ones(1)
    dist.all_reduce(total)
    return total.item()
