"""What a GPU says of an id beyond the table, and what is said before its kernel runs."""

from __future__ import annotations

from typing import Any

import torch
from failure import NEW, learn, llama

from fixbook.recipe import detect, reproduce, snippet

CUDA: dict[str, Any] = {"on": "cuda", "gpu_memory_gib": 1, "timeout_s": 120}


@reproduce(**CUDA)
def added_tokens_on_a_gpu() -> None:
    """The kernel's assertion, and an error at whichever call comes next."""
    learn(llama().to("cuda"))
    torch.cuda.synchronize()


@detect(found=True, **CUDA)
def names_the_ids_on_a_gpu() -> dict[str, Any]:
    """An exception in Python, and a device that works on."""
    model, ids = llama().to("cuda"), torch.tensor([[2, 5, NEW[1]]], device="cuda")
    try:
        snippet("check-indices", model=model, batch={"input_ids": ids})
    except IndexError as error:
        still = torch.ones(4, device="cuda").sum().item()
        return {"found": "in a table of" in str(error), "device_works": still == 4}
    return {"found": False, "device_works": True}
