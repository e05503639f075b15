"""What a GPU says of a label that has no class, and what is said before its kernel runs."""

from __future__ import annotations

from typing import Any

import torch

from fixbook.recipe import detect, reproduce, snippet

CUDA: dict[str, Any] = {"on": "cuda", "gpu_memory_gib": 1, "timeout_s": 120}


def loss(labels: list[int]) -> None:
    """Take the cross entropy of three samples and three classes on the device."""
    logits = torch.randn(3, 3, device="cuda")
    torch.nn.functional.cross_entropy(logits, torch.tensor(labels, device="cuda"))
    torch.cuda.synchronize()


@reproduce(**CUDA)
def labels_from_one_on_a_gpu() -> None:
    """The kernel's assertion, and an error at whichever call comes next."""
    loss([1, 2, 3])


@reproduce(**CUDA)
def minus_100_in_a_gather_on_a_gpu() -> None:
    """The same of a gather."""
    found = torch.randn(1, 3, 128, device="cuda").log_softmax(-1)
    found.gather(-1, torch.tensor([[[-100], [5], [6]]], device="cuda"))
    torch.cuda.synchronize()


@detect(found=True, **CUDA)
def names_the_labels_on_a_gpu() -> dict[str, Any]:
    """An exception in Python, and a device that works on."""
    try:
        snippet("check-targets", model=loss, batch={"labels": [1, 2, 3]})
    except IndexError as error:
        still = torch.ones(4, device="cuda").sum().item()
        return {"found": "classes" in str(error), "device_works": still == 4}
    return {"found": False, "device_works": True}
