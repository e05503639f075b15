"""NCCL as published, joined by several ranks on a machine without a GPU: one room, and its door.

    calls.c      what NCCL asks of CUDA beyond what `helpers.gpu` has
    nvml.c       libnvidia-ml: the GPUs as NCCL looks them up
    build.py     compiles both, once, into a cache
    replace.py   puts the first in place of the CUDA runtime that is linked into libnccl.so.2
    rank.py      one rank: loads it, and calls what torch and vLLM call
    ranks.py     starts ranks, on one machine or on hosts of their own, and says how each ended

NCCL's own are its sockets, its checks, its shared memory, its choice of a way, and its texts. Not
real are the cards, how they are joined, and what a kernel would move.
"""

from fixbook.recipe.helpers.nccl.ranks import NcclEnd, NcclRank, nccl_ranks

__all__ = ["NcclEnd", "NcclRank", "nccl_ranks"]
