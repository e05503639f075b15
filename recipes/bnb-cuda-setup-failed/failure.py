"""What the first 4-bit layer on a GPU needs of bitsandbytes, and a training step without a GPU."""

from __future__ import annotations

import importlib  # a step prepares its process before bitsandbytes is imported
import os
from pathlib import Path
from typing import Any

import torch


def first_kernel(*, override: str | None = None) -> dict[str, Any]:
    """Import bitsandbytes, and take the kernel that quantises to 4 bits."""
    if override is not None:
        os.environ["BNB_CUDA_VERSION"] = override
    library = importlib.import_module("bitsandbytes").cextension.lib
    kernel = library.cquantize_blockwise_fp16_nf4
    if not library.compiled_with_cuda:
        kernel()
    return {"file": Path(library._lib._name).name}


def train(weights: int = 16384) -> dict[str, Any]:
    """Take one step with an 8-bit optimizer, on the GPU if torch has one."""
    bitsandbytes = importlib.import_module("bitsandbytes")
    device = "cuda" if torch.cuda.is_available() else "cpu"
    weight = torch.nn.Parameter(torch.ones(weights, device=device))
    optimizer = bitsandbytes.optim.AdamW8bit([weight], lr=0.01)
    weight.sum().backward()  # type: ignore[no-untyped-call]
    optimizer.step()
    return {"device": weight.device.type, "trained": bool((weight != 1).all())}
