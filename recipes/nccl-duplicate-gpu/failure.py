"""Processes that were to take a GPU each, and join a group of NCCL."""

from __future__ import annotations

import ctypes
import subprocess
from functools import partial
from typing import TYPE_CHECKING

from fixbook.recipe import measure, skip
from fixbook.recipe.helpers import NcclEnd, NcclRank, nccl_ranks

if TYPE_CHECKING:
    from collections.abc import Callable


def first_gpu(local_rank: int) -> int:
    """Choose none: every process stays on the first GPU that it sees."""
    return 0 * local_rank


def call_it(host: str) -> None:
    """Give the machine of this process another name, which NCCL prints."""
    system, of_its_own = ctypes.CDLL(None), 0x04000000  # CLONE_NEWUTS
    system.unshare(of_its_own)
    system.sethostname(host.encode(), len(host))


def join(
    ranks: int = 2,
    gpus: int = 2,
    choose: Callable[[int], int] = first_gpu,
    visible: Callable[[int], str] = lambda _rank: "",
    hosts: tuple[str, ...] = (),
    **settings: str,
) -> list[NcclEnd]:
    """Let each rank choose a GPU among those that it sees, perhaps on a host of this name."""
    each = []
    if hosts and subprocess.run(["unshare", "--uts", "true"], check=False).returncode:
        skip("this machine forbids a process a host name of its own")
    for rank in range(ranks):
        seen = {"CUDA_VISIBLE_DEVICES": visible(rank)} if visible(rank) else {}
        on = {"NCCL_HOSTID": hosts[rank]} if hosts else {}
        name_it = partial(call_it, hosts[rank]) if hosts else None
        each.append(NcclRank(choose(rank), {**seen, **on, **settings}, before=name_it))
    return nccl_ranks(*each, gpus=gpus)


def start(
    ranks: int = 2,
    gpus: int = 2,
    choose: Callable[[int], int] = first_gpu,
    visible: Callable[[int], str] = lambda _rank: "",
    **settings: str,
) -> dict[str, int]:
    """Join, and raise what NCCL calls its error, as vLLM does."""
    ends = join(ranks, gpus, choose, visible, **settings)
    failed = [end for end in ends if end.code]
    if failed:
        measure(last=failed[0].last)
        raise RuntimeError(f"NCCL error: {failed[0].error}")
    return {"joined": sum(end.code == 0 for end in ends)}
