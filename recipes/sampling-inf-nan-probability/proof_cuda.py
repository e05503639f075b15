"""What a GPU says of probabilities that cannot be sampled from."""

from __future__ import annotations

from typing import Any

import torch
from failure import count_on, counting

from fixbook.recipe import fix, reproduce

CUDA: dict[str, Any] = {"on": "cuda", "gpu_memory_gib": 1, "timeout_s": 120}


def counted(dtype: torch.dtype) -> dict[str, Any]:
    """Let the model with large activations count on, on the device."""
    result = count_on(counting(outliers=True, dtype=dtype).to("cuda"))
    torch.cuda.synchronize()
    return result


@reproduce(**CUDA)
def overflow_in_fp16_on_a_gpu() -> dict[str, Any]:
    """The kernel's assertion, and an error at whichever call comes next."""
    return counted(torch.float16)


@fix("bfloat16", control="overflow-in-fp16-on-a-gpu", **CUDA)
def in_bfloat16_on_a_gpu() -> dict[str, Any]:
    """The same weights in bfloat16."""
    return counted(torch.bfloat16)
