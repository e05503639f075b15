"""CUDA in a process that was forked from one that had used it."""
# /// script
# requires-python = ">=3.11"
# dependencies = ["fixbook", "torch==2.13.0"]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

import contextlib
import io
import multiprocessing
from typing import Any

import torch
from failure import LENGTH, Rows, load, use_cuda
from torch.utils.data import DataLoader

from fixbook.recipe import detect, device, fix, main, measure, non_fix, reproduce, snippet


def read(
    *,
    used: bool = True,
    on_gpu: bool = True,
    context: str | None = "fork",
    method: str = "",
    printed: str = "",
) -> dict[str, Any]:
    """Use CUDA or not, set a start method or not, and read rows in a worker."""
    if used:
        use_cuda()
    if method:
        multiprocessing.set_start_method(method, force=True)
    measure(method=multiprocessing.get_start_method(), used=torch.cuda.is_initialized())
    if printed == "in-loop":
        got = snippet(printed, rows=Rows(on_gpu=False), DataLoader=DataLoader, device=device())
        return {"rows": len(got["loader"])} | check(got["loader"])
    if printed:
        names = {"rows": Rows(on_gpu=on_gpu), "DataLoader": DataLoader, "__name__": "__main__"}
        return {"rows": len(list(snippet(printed, **names)["loader"]))}
    rows = len(load(on_gpu=on_gpu, context=context))
    use_cuda()  # whoever forks before may use it afterwards
    return {"rows": rows}


def check(loader: Any) -> dict[str, Any]:
    """Run the page's check."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        snippet("look", loader=loader)
    said = printed.getvalue().strip()
    return {"found": said != "0", "said": said}


def look(*, used: bool = True, on_gpu: bool = True, default: str = "cpu") -> dict[str, Any]:
    """Ask whether a forked worker would fail."""
    if used:
        use_cuda()
    torch.set_default_device(default)
    answer = check(DataLoader(Rows(on_gpu=on_gpu), num_workers=1))
    use_cuda()  # whoever forks before may use it afterwards
    return answer


def setting(context: str) -> dict[str, Any]:
    """Set a value of a module in the parent, and see which one a worker has."""
    LENGTH["longest"] = 512
    seen = load(on_gpu=False, context=context)[0][1]
    return {"found": seen != LENGTH["longest"], "seen": seen, "set": LENGTH["longest"]}


@reproduce(on="any")
def worker_uses_cuda() -> dict[str, Any]:
    """A dataset that moves its rows, in a forked worker."""
    return read()


@detect(found=True, on="any")
def in_use() -> dict[str, Any]:
    """Too late."""
    return look()


@detect(found=True, on="any")
def default_device() -> dict[str, Any]:
    """The dataset moves nothing; what it creates is on the default device."""
    return look(on_gpu=False, default="cuda")


@detect(found=False, control="in-use", on="any")
def not_in_use() -> dict[str, Any]:
    """Still time."""
    return look(used=False)


@detect(found=False, control="in-use", on="any")
def left_to_the_loop() -> dict[str, Any]:
    """CUDA is in use, and what a worker does is none of it."""
    return look(on_gpu=False)


@fix("stay-on-cpu", control="worker-uses-cuda", on="any")
def rows_stay_on_cpu() -> dict[str, Any]:
    """The dataset leaves that to the loop."""
    return read(printed="in-loop")


@fix("spawn", control="worker-uses-cuda", on="any")
def worker_is_spawned() -> dict[str, Any]:
    """A process that starts afresh."""
    return read(printed="spawned")


@fix("not-before", control="worker-uses-cuda", on="any")
def not_used_before() -> dict[str, Any]:
    """The parent leaves CUDA alone."""
    return read(used=False)


@fix("no-workers", control="worker-uses-cuda", on="any")
def no_workers() -> dict[str, Any]:
    """Nothing is forked."""
    return read(context=None)


@non_fix("set-start-method", control="worker-uses-cuda", on="any")
def method_is_set() -> dict[str, Any]:
    """What asks for a fork by name gets one."""
    return read(method="spawn")


@detect(found=True)
def setting_in_a_spawned_worker() -> dict[str, Any]:
    """The module is imported anew."""
    return setting("spawn")


@detect(found=False, control="setting-in-a-spawned-worker")
def setting_in_a_forked_worker() -> dict[str, Any]:
    """The module is the parent's."""
    return setting("fork")


if __name__ == "__main__":
    main(__file__)
