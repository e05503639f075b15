"""Two hosts that join a group of NCCL, both with the same environment, as a cluster sets it."""

from __future__ import annotations

from fixbook.recipe import measure
from fixbook.recipe.helpers import NcclRank, nccl_ranks


def start(names: str, **settings: str) -> dict[str, int]:
    """Join, and raise what NCCL calls its error, as vLLM does.

    Args:
        names: Interfaces that NCCL may take; empty: it is told nothing.
        **settings: Other variables.
    """
    told = {"NCCL_SOCKET_IFNAME": names} if names else {}
    ranks = []
    for number in range(2):
        env = {"NCCL_HOSTID": f"host{number}", "NCCL_DEBUG": "INFO", "NCCL_SOCKET_RETRY_CNT": "3"}
        ranks.append(NcclRank(env={**env, **told, **settings}))
    ends = nccl_ranks(*ranks, hosts=True)
    failed = [end for end in ends if end.code]
    measure(code=failed[0].code if failed else 0)
    if failed:
        raise RuntimeError(f"NCCL error: {failed[0].error}")
    return {"joined": sum(end.code == 0 for end in ends)}
