"""Each tensor that a DataLoader worker sent holds an open file as long as it is kept."""
# /// script
# requires-python = ">=3.11"
# dependencies = ["fixbook", "torch==2.13.0", "numpy==2.4.6"]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

import multiprocessing
from pathlib import Path
from typing import Any

import numpy as np
from failure import collect, loader, share_by_name

from fixbook.recipe import detect, fix, main, measure, non_fix, reproduce, snippet
from fixbook.recipe.helpers import limits, private_mount


def copies(batches: Any) -> Any:
    """Keep copies, as the page does."""
    return snippet("copy", loader=batches)["kept"]


def arrays(batches: Any) -> Any:
    """Keep arrays that share the memory of the batches."""
    return collect(batches, lambda batch: batch["input_ids"].numpy())


def counted(batches: Any) -> Any:
    """Keep batches; say how many workers send them."""
    iterator = iter(batches)
    measure(workers=len(multiprocessing.active_children()))
    return collect(iterator)


def run(
    how: Any = counted, *, files: int = 128, setting: str = "", **options: Any
) -> dict[str, Any]:
    """Collect all batches in a process that may have so many open files."""
    private_mount(64 << 20)
    with limits(files=files):
        if setting:
            snippet(setting)
        kept = how(loader(**options))
        named = len(list(Path("/dev/shm").glob("torch_*")))  # noqa: S108 (where they lie)
        return {"kept": len(kept), "named": named} | looked_at()


def looked_at() -> dict[str, Any]:
    """Count open files as the page does."""
    seen = snippet("count")
    return {"open": len(seen["names"]), "tensors": seen["tensors"]}


@reproduce()
def kept() -> dict[str, Any]:
    """A list of batches."""
    return run()


@fix("clone", control="kept")
def copied() -> dict[str, Any]:
    """A list of copies."""
    return run(copies)


@reproduce()
def kept_as_arrays() -> dict[str, Any]:
    """The same memory under another name."""
    return run(arrays)


@fix("by-name", control="kept")
def kept_by_name() -> dict[str, Any]:
    """No descriptor stays open."""
    return run(setting="by-name")


@fix("raise-limit", control="kept")
def limit_raised() -> dict[str, Any]:
    """Room for more descriptors."""
    return run(setting="raise-limit")


@fix("no-workers", control="kept")
def without_workers() -> dict[str, Any]:
    """Nothing is passed from one process to another."""
    return run(num_workers=0)


@non_fix("fewer-workers", control="kept")
def one_worker() -> dict[str, Any]:
    """One process sends them all."""
    return run(num_workers=1)


@reproduce(timeout_s=40)
def set_in_the_main_process() -> dict[str, Any]:
    """Workers that do not inherit the strategy share by descriptor."""
    return run(setting="by-name", multiprocessing_context="forkserver", worker_init_fn=None)


@fix("by-name", control="set-in-the-main-process", timeout_s=40)
def set_in_each_worker() -> dict[str, Any]:
    """Each worker sets it for itself."""
    return run(
        setting="by-name", multiprocessing_context="forkserver", worker_init_fn=share_by_name
    )


@reproduce(timeout_s=6)
def many_in_a_batch() -> dict[str, Any]:
    """400 tensors at a time: the worker runs out, and nobody tells the main process."""
    return run(batch_size=400, collate_fn=list)


@fix("by-name", control="many-in-a-batch", timeout_s=20)
def many_by_name() -> dict[str, Any]:
    """The worker keeps no descriptor either."""
    return run(batch_size=400, collate_fn=list, setting="by-name")


def look(how: Any, **options: Any) -> dict[str, Any]:
    """Collect with room for all, and look at what is open."""
    seen = run(how, files=1024, **options)
    return seen | {"found": seen["tensors"] > 100}


@detect(found=True)
def grows_in_silence() -> dict[str, Any]:
    """As long as the limit is far away, nothing fails."""
    return look(counted)


@detect(found=False, control="grows-in-silence")
def stays_small() -> dict[str, Any]:
    """Copies hold no file."""
    return look(copies)


@detect(found=False, control="grows-in-silence")
def stays_small_by_name() -> dict[str, Any]:
    """What has a name needs no open file."""
    return look(counted, setting="by-name")


@detect(found=False)
def mapped_files() -> dict[str, Any]:
    """Files that a data set maps are open files, too."""
    np.save("tokens.npy", np.arange(8))
    mapped = [np.load("tokens.npy", mmap_mode="r") for _ in range(200)]
    seen = looked_at()
    return {"found": seen["tensors"] > 100, "mapped": len(mapped)} | seen


if __name__ == "__main__":
    main(__file__)
