"""Join a group of Gloo from several hosts, on the interface that the environment names, if any."""

from __future__ import annotations

from datetime import timedelta

import torch
import torch.distributed as dist

PORT = 29500


def join(rank: int, world: int) -> float:
    """Join, and add up a one of every process; rank 0 is on the first host."""
    # Gloo waits five times as long for a connection.
    timeout = timedelta(seconds=2)
    address = f"tcp://10.77.0.1:{PORT}"
    dist.init_process_group("gloo", address, timeout=timeout, rank=rank, world_size=world)
    total = torch.ones(1)
    dist.all_reduce(total)
    return total.item()
