"""A training script written for several processes, and the ways to run it without its group."""

import os
from tempfile import mkdtemp
from typing import Any

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, DistributedSampler

SAMPLES: Any = range(8)


def connect(how: str = "launched") -> None:
    """Do what most scripts do: start a group where a launcher asked for one."""
    if how == "alone":
        dist.init_process_group("gloo", f"file://{mkdtemp()}/store", rank=0, world_size=1)
    elif how == "launched" and "RANK" in os.environ:
        dist.init_process_group("gloo")


def share(*, guarded: bool = False) -> Any:
    """Share eight samples out between the ranks."""
    if guarded and not dist.is_initialized():
        return DistributedSampler(SAMPLES, num_replicas=1, rank=0)
    return DistributedSampler(SAMPLES)


def train(*, early: bool = False, guarded: bool = False, group: str = "launched") -> Any:
    """Train for an epoch, return the sampler; `early` makes it before there is a group."""
    sampler = share(guarded=guarded) if early else None
    connect(group)
    sampler = sampler or share()
    model = DistributedDataParallel(nn.Linear(1, 1))
    for index in sampler:
        model(torch.tensor([[float(index)]])).sum().backward()
    return sampler


def finish(*, destroy_last: bool = False) -> bool:
    """Train, let rank 0 save the model, and destroy the group, in one order or the other."""
    train()
    if not destroy_last:
        dist.destroy_process_group()
    return dist.get_rank() == 0


def rank_by_torch(_: Any) -> int:
    """Ask torch."""
    return dist.get_rank()


def rank_by_environment(_: Any) -> int:
    """Ask the environment."""
    return int(os.environ.get("RANK", "0"))


def load(ask: Any = rank_by_torch) -> Any:
    """Load a batch with a worker process that asks for its rank."""
    connect("alone")
    loader = DataLoader(SAMPLES, num_workers=1, multiprocessing_context="spawn", collate_fn=ask)
    return next(iter(loader))
