"""Batches of DataLoader workers lie in /dev/shm, and Docker gives it 64 MiB."""
# /// script
# requires-python = ">=3.11"
# dependencies = [
#     "fixbook", "torch==2.13.0", "numpy==2.4.6", "transformers==5.23.0",
#     "accelerate==1.15.0",
# ]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

import os
import re
import signal
import sys
import traceback
from pathlib import Path
from typing import Any

import torch
from accelerate.data_loader import prepare_data_loader
from failure import SHM, Images, images, train
from torch.utils.data import BatchSampler, IterableDataset, SequentialSampler
from transformers import BatchEncoding

from fixbook.recipe import detect, fix, main, measure, non_fix, reproduce, run_snippet, snippet
from fixbook.recipe.helpers import beside, end, private_mount, run_python, until, with_preload

MIB = 2**20


def in_room(
    mib: int,
    strategy: str = "file_descriptor",
    make: Any = images,
    *,
    remount: bool = False,
    **more: Any,
) -> Any:
    """Train with a /dev/shm of so many MiB; weigh the files that have a name there."""
    private_mount(mib * MIB)
    if remount:
        run_snippet("remount")
    torch.multiprocessing.set_sharing_strategy(strategy)  # type: ignore[no-untyped-call]
    try:
        return train(make(**more))
    finally:
        measure(named=sum(file.stat().st_blocks * 512 for file in Path(SHM).glob("torch_*")))


def printed() -> Any:
    """Return the loader of the page."""
    return snippet("fewer-ahead", dataset=Images(), batch_size=32)["loader"]


@reproduce()
def default_shm() -> Any:
    """What Docker gives: the workers run ahead until a batch finds no room."""
    return in_room(64)


@reproduce(programs=["cc"])
def not_reserved() -> None:
    """Files that are only resized: the lack of room shows when they are written."""
    private_mount(64 * MIB)
    here = Path(__file__).parent
    variables = with_preload(here / "reserves_nothing.c")
    sys.exit(run_python((here / "failure.py").read_text(), env=variables).returncode)


def hold() -> None:
    """Keep a shared tensor, as a worker does that nobody ended."""
    _kept = torch.empty(200 * MIB, dtype=torch.uint8).share_memory_()
    signal.pause()


def free() -> int:
    """Return what is free in /dev/shm."""
    shm = os.statvfs(SHM)
    return shm.f_bavail * shm.f_frsize


def after_a_killed_job(*, ended: bool) -> Any:
    """Train where there is room enough, but for what a process of another job holds."""
    private_mount(256 * MIB)
    with beside(hold) as holder:
        until(lambda: free() < 64 * MIB)
        if ended:
            found = re.findall(r"/proc/(\d+)/maps", run_snippet("holders").stdout)
            measure(listed=found.count(str(holder)))
            end(holder)
        return train(images())


@reproduce()
def left_over() -> Any:
    """Another process holds what it had in /dev/shm."""
    return after_a_killed_job(ended=False)


@fix("larger", control="default-shm")
def larger() -> Any:
    """Four times the room."""
    return in_room(256)


@fix("remount", control="default-shm", programs=["mount"])
def remounted() -> Any:
    """The same file system, made larger where it is."""
    return in_room(64, remount=True)


@fix("left-over", control="left-over")
def left_over_ended() -> Any:
    """The process is found and ended."""
    return after_a_killed_job(ended=True)


@fix("fewer-ahead", control="default-shm")
def one_batch_ahead() -> Any:
    """One worker, one batch ahead, in the same room."""
    return in_room(64, make=printed)


@fix("fewer-ahead", control="default-shm")
def without_workers() -> Any:
    """The main process makes the batches."""
    return in_room(64, num_workers=0)


@non_fix("file-system", control="default-shm")
def by_file_name() -> Any:
    """The files keep their names, and lie where they lay."""
    return in_room(64, strategy="file_system")


def looked_at(mib: int, loader: Any) -> dict[str, Any]:
    """Compare as the page does."""
    private_mount(mib * MIB)
    seen = snippet("room", loader=loader)
    need, room = seen["need"], seen["room"]
    return {"found": need > room, "need": need, "room": room}


@detect(found=True)
def too_small() -> dict[str, Any]:
    """Docker's default."""
    return looked_at(64, images())


@detect(found=False, control="too-small")
def large_enough() -> dict[str, Any]:
    """Four times as much."""
    return looked_at(256, images())


class Stream(IterableDataset[Any]):
    """Rows that come as a stream."""

    def __iter__(self) -> Any:
        return iter([torch.ones(3, 224, 224)] * 64)


def encoded(rows: Any) -> Any:
    """Return a batch as the collators of transformers do."""
    return BatchEncoding({"pixels": torch.stack(rows)})


@detect(found=True)
def usual_loaders() -> dict[str, Any]:
    """A collator of transformers, a stream, a batch sampler, what a Trainer gives."""
    by_batch = BatchSampler(SequentialSampler(range(160)), 32, drop_last=False)
    loaders = [
        images(collate_fn=encoded, timeout=30),
        images(Stream()),
        torch.utils.data.DataLoader(Images(), batch_sampler=by_batch, num_workers=2),
        prepare_data_loader(images(), num_processes=1, process_index=0),
    ]
    seen = [looked_at(16, loader) for loader in loaders]  # less than a batch
    return seen[0] | {"counted": sum(one["found"] for one in seen)}


@detect(found=False)
def mapped_file_cut_short() -> dict[str, Any]:
    """A data file is replaced while it is mapped: the same words, and room enough."""
    file = Path("images.bin")
    file.write_bytes(bytes(2**20))
    loader = images(Images(file=file))
    seen = looked_at(64, loader)
    train(loader, pause_s=0)
    os.truncate(file, 0)
    try:
        train(loader)
    except RuntimeError as error:  # which one of the chain says so is a matter of time
        said = "".join(traceback.format_exception(error)).partition(" is killed by signal: ")[2]
        seen["said"] = said.partition("\n")[0].strip()
    return seen


@detect(found=True)
def slow_workers() -> dict[str, Any]:
    """Training waits for data: the same need, and nothing fails."""
    loader = images(Images(pause_s=0.005))
    return looked_at(64, loader) | train(loader, pause_s=0)


if __name__ == "__main__":
    main(__file__)
