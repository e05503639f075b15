"""CUDA in a process that was forked from one that had used it."""
# /// script
# requires-python = ">=3.11"
# dependencies = ["fixbook", "torch==2.13.0"]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

import multiprocessing
from typing import Any

import torch
from failure import LENGTH, Rows, load, use_cuda
from torch.utils.data import DataLoader

from fixbook.recipe import detect, fix, main, measure, non_fix, reproduce, snippet


def read(
    *, used: bool = True, on_gpu: bool = True, context: str = "fork", method: str = ""
) -> dict[str, Any]:
    """Use CUDA or not, set a start method or not, and read rows in a worker."""
    if used:
        use_cuda()
    if method:
        multiprocessing.set_start_method(method, force=True)
    measure(method=multiprocessing.get_start_method(), used=torch.cuda.is_initialized())
    return {"rows": len(load(on_gpu=on_gpu, context=context))}


def look(*, used: bool = True, on_gpu: bool = True) -> dict[str, Any]:
    """Ask whether a forked worker would fail."""
    if used:
        use_cuda()
    try:
        snippet("look", loader=DataLoader(Rows(on_gpu=on_gpu), num_workers=1))
    except RuntimeError as error:
        return {"found": True, "said": str(error)}
    return {"found": False}


def setting(context: str) -> dict[str, Any]:
    """Set a value of a module in the parent, and see which one a worker has."""
    LENGTH["longest"] = 512
    seen = load(on_gpu=False, context=context)[0][1]
    return {"found": seen != LENGTH["longest"], "seen": seen, "set": LENGTH["longest"]}


@reproduce()
def worker_uses_cuda() -> dict[str, Any]:
    """A dataset that moves its rows, in a forked worker."""
    return read()


@fix("stay-on-cpu", control="worker-uses-cuda")
def rows_stay_on_cpu() -> dict[str, Any]:
    """The dataset leaves that to the loop."""
    return read(on_gpu=False)


@fix("spawn", control="worker-uses-cuda")
def worker_is_spawned() -> dict[str, Any]:
    """A process that starts afresh."""
    return read(context="spawn")


@fix("not-before", control="worker-uses-cuda")
def not_used_before() -> dict[str, Any]:
    """The parent leaves CUDA alone."""
    return read(used=False)


@non_fix("set-start-method", control="worker-uses-cuda")
def method_is_set() -> dict[str, Any]:
    """What asks for a fork by name gets one."""
    return read(method="spawn")


@detect(found=True)
def in_use() -> dict[str, Any]:
    """Too late."""
    return look()


@detect(found=False, control="in-use")
def not_in_use() -> dict[str, Any]:
    """Still time."""
    return look(used=False)


@detect(found=False, control="in-use")
def left_to_the_loop() -> dict[str, Any]:
    """CUDA is in use, and what a worker does is none of it."""
    return look(on_gpu=False)


@detect(found=True)
def setting_in_a_spawned_worker() -> dict[str, Any]:
    """The module is imported anew."""
    return setting("spawn")


@detect(found=False, control="setting-in-a-spawned-worker")
def setting_in_a_forked_worker() -> dict[str, Any]:
    """The module is the parent's."""
    return setting("fork")


@reproduce(on="cuda")
def worker_uses_cuda_on_a_gpu() -> dict[str, Any]:
    """The real flag, set by the CUDA build."""
    return read()


@fix("spawn", control="worker-uses-cuda-on-a-gpu", on="cuda")
def worker_is_spawned_on_a_gpu() -> dict[str, Any]:
    """The rows go to the GPU and back."""
    return read(context="spawn")


if __name__ == "__main__":
    main(__file__)
