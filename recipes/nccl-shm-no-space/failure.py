"""Join a group of NCCL, one rank for each GPU of the machine, as torch and vLLM do."""

from __future__ import annotations

import re

from fixbook.recipe import measure
from fixbook.recipe.helpers import NcclEnd, NcclRank, nccl_ranks


def join(gpus: int, **settings: str) -> list[NcclEnd]:
    """Let every rank join, with these variables set."""
    ranks = [NcclRank(device, settings) for device in range(gpus)]
    return nccl_ranks(*ranks, patience_s=90.0)  # eight of them, on a machine that may be busy


def start(gpus: int = 2, **settings: str) -> dict[str, int]:
    """Join, and raise what NCCL calls its error, as vLLM does."""
    ends = join(gpus, **settings)
    failed = [end for end in ends if end.code]
    if failed:
        sizes = [int(size) for end in failed for size in re.findall(r"\(size (\d+)\)", end.last)]
        measure(failed=len(failed), waiting=sum(end.code is None for end in ends))
        measure(segment=max(sizes, default=0))
        raise RuntimeError(f"NCCL error: {failed[0].error}")
    return {"joined": sum(end.code == 0 for end in ends)}
