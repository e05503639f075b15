"""Join a group of Gloo from several hosts, on the interface that each of them picks or is given."""

from __future__ import annotations

import os
from datetime import timedelta

import torch
import torch.distributed as dist

PORT = 29500


def join(rank: int, world: int, interface: str = "", nccl: str = "") -> float:
    """Join, and add up a one of every process; rank 0 is on the first host."""
    if interface:
        os.environ["GLOO_SOCKET_IFNAME"] = interface
    if nccl:
        os.environ["NCCL_SOCKET_IFNAME"] = nccl
    # Gloo waits five times as long for a connection.
    timeout = timedelta(seconds=2)
    address = f"tcp://10.77.0.1:{PORT}"
    dist.init_process_group("gloo", address, timeout=timeout, rank=rank, world_size=world)
    total = torch.ones(1)
    dist.all_reduce(total)
    return total.item()
