"""Processes that were to take a GPU each, and join a group of NCCL."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fixbook.recipe import measure
from fixbook.recipe.helpers import NcclEnd, NcclRank, nccl_ranks

if TYPE_CHECKING:
    from collections.abc import Callable


def first_gpu(local_rank: int) -> int:
    """Choose none: every process stays on the first GPU that it sees."""
    return 0 * local_rank


def join(
    ranks: int = 2,
    gpus: int = 2,
    choose: Callable[[int], int] = first_gpu,
    visible: Callable[[int], str] = lambda _rank: "",
    **settings: str,
) -> list[NcclEnd]:
    """Let each rank choose a GPU among those that it sees."""
    each = []
    for rank in range(ranks):
        seen = {"CUDA_VISIBLE_DEVICES": visible(rank)} if visible(rank) else {}
        each.append(NcclRank(choose(rank), {**seen, **settings}))
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
