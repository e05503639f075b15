"""Join a group of Gloo from several hosts, on the interface that the environment names, if any."""

from __future__ import annotations

from datetime import timedelta

import torch
import torch.distributed as dist


def join(rank: int, world: int, first: str = "10.77.0.1:29500") -> float:
    """Join, and add up a one of every process; ``first`` is the address of rank 0."""
    # Gloo waits five times as long for a connection.
    wait = timedelta(seconds=2)
    dist.init_process_group("gloo", f"tcp://{first}", timeout=wait, rank=rank, world_size=world)
    total = torch.ones(1)
    dist.all_reduce(total)
    return total.item()
