"""Join a process group, as each process of a job does from what it was told."""

from __future__ import annotations

import os
import time
from datetime import timedelta
from pathlib import Path

import torch
import torch.distributed as dist
from torch.distributed import run


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


WORKER = """
import os, pathlib

pathlib.Path("world").write_text(os.environ["WORLD_SIZE"])
"""


def launch(nodes: str, endpoint: str) -> None:
    """Launch this node's share of a job with torchrun; nodes that come late are not waited for."""
    Path("worker.py").write_text(WORKER, "utf-8")
    options = [f"--nnodes={nodes}", "--rdzv-backend=c10d", f"--rdzv-endpoint={endpoint}"]
    run.main([*options, "--rdzv-conf=last_call_timeout=1", "worker.py"])
