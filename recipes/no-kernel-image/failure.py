"""A script as far as the failure goes: it moves a batch to the GPU, and computes there."""

from __future__ import annotations

import os

import torch

from fixbook.recipe import measure


def train() -> dict[str, str]:
    """Copy a batch, which takes no kernel, and multiply it, which takes one."""
    measure(torch=torch.__version__, built=" ".join(torch.cuda.get_arch_list()))
    measure(available=torch.cuda.is_available(), listed=os.environ.get("TORCH_CUDA_ARCH_LIST", ""))
    batch = torch.ones(4, 8).to("cuda")
    measure(copied=str(batch.device))
    loss = batch * 2
    return {"computed": str(loss.device)}
