"""Join a group of NCCL, one rank for each GPU, as torch and vLLM do."""

from __future__ import annotations

from fixbook.recipe import measure
from fixbook.recipe.helpers import NcclEnd, NcclRank, nccl_ranks


def join(gpus: int, **settings: str) -> list[NcclEnd]:
    """Let every rank join, with these variables set."""
    return nccl_ranks(*[NcclRank(device, settings) for device in range(gpus)])


def start(gpus: int, **settings: str) -> dict[str, int]:
    """Join, and raise what NCCL calls its error, as vLLM does."""
    ends = join(gpus, **settings)
    failed = [end for end in ends if end.code]
    measure(failed=len(failed), code=failed[0].code if failed else 0)
    if failed:
        raise RuntimeError(f"NCCL error: {failed[0].error}")
    warned = [text for end in ends for text in end.warnings if "XML" in text]
    return {"joined": sum(end.code == 0 for end in ends), "warned": len(warned)}
