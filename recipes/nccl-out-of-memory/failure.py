"""A training whose batches grow, and whose ranks talk for the first time after that."""

from __future__ import annotations

import torch
import torch.distributed as dist

MIB = 2**20
SHORT, LONG = 421 * MIB, 600 * MIB  # on a card of 1024 MiB
BESIDE_A_GROUP = 593 * MIB  # with what a group of NCCL and its gradients have taken


def grow(longer: int = LONG) -> None:
    """Take a short batch and then a longer one, for which torch has to ask for memory anew."""
    for size in (SHORT, longer):
        torch.empty(size, dtype=torch.uint8, device="cuda")


def add(group: dist.ProcessGroup | None = None) -> None:
    """Add up gradients over the ranks."""
    gradients = torch.ones(1024, device="cuda")
    dist.all_reduce(gradients, group=group)
    torch.cuda.synchronize()
