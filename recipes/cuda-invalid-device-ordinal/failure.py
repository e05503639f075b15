"""A training script as far as the failure goes: each rank chooses its GPU."""

from __future__ import annotations

import torch


def choose(local_rank: int, *, wrap: bool = False) -> dict[str, str]:
    """Choose the GPU of a rank.

    Args:
        local_rank: What the launcher gives it in LOCAL_RANK.
        wrap: Start again at the first GPU if there are more ranks than GPUs.
    """
    torch.cuda.set_device(local_rank % torch.cuda.device_count() if wrap else local_rank)
    return {"device": f"cuda:{torch.cuda.current_device()}"}
