"""What a disk says of itself, and who hears of a save in the background."""

from __future__ import annotations

from concurrent.futures import wait
from pathlib import Path
from typing import Any

import torch.distributed as dist
from failure import disk, save_in_the_background, save_safetensors
from torch.distributed.checkpoint.api import CheckpointException

from fixbook.recipe import detect, snippet


def room(size: int, inodes: int = 0) -> dict[str, Any]:
    """Put 2 MB on a disk of that size, and look how much it has left."""
    place = disk(size, inodes)
    save_safetensors(place / "old.safetensors", 2)
    left = snippet("room", folder=str(place))["left"]
    return {
        "found": left["MB"] < 2 or not left["files"],
        "left": left["MB"],
        "files": left["files"],
    }


def background(size: int, *, ask: bool) -> dict[str, Any]:
    """Save 2 MB in the background on a disk of that size; ask how it went, or do not."""
    meet = Path("meet").resolve()
    dist.init_process_group("gloo", init_method=f"file://{meet}", rank=0, world_size=1)
    folder = disk(size) / "step-1"
    future = save_in_the_background(folder)
    wait([future])
    said = ""
    if ask:
        try:
            snippet("ask", future=future)
        except CheckpointException as error:
            said = type(error).__name__
    names = sorted(path.name for path in folder.iterdir())
    dist.destroy_process_group()
    return {"found": bool(said), "said": said, "names": names}


@detect(found=True)
def no_bytes_left() -> dict[str, Any]:
    """1 MB for a checkpoint of 2."""
    return room(3_000_000)


@detect(found=True)
def no_files_left() -> dict[str, Any]:
    """Bytes, and no file."""
    return room(6_000_000, inodes=2)


@detect(found=False, control="no-bytes-left")
def enough_left() -> dict[str, Any]:
    """Room for the next."""
    return room(6_000_000)


@detect(found=True)
def asked() -> dict[str, Any]:
    """The future has the exception."""
    return background(1_000_000, ask=True)


@detect(found=False, control="asked")
def asked_with_room() -> dict[str, Any]:
    """Nothing to tell."""
    return background(6_000_000, ask=True)


@detect(found=False, control="asked")
def not_asked() -> dict[str, Any]:
    """Nobody hears of it."""
    return background(1_000_000, ask=False)
