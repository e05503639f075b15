"""What a disk says of itself, and who hears of a save in the background."""

from __future__ import annotations

from concurrent.futures import wait
from pathlib import Path
from typing import Any

import torch.distributed as dist
from failure import disk, save_in_the_background, save_safetensors
from torch.distributed.checkpoint.api import CheckpointException

from fixbook.recipe import snippet


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
