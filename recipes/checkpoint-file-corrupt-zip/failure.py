"""A checkpoint that is written over an older one while the disk fills up, and broken downloads."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import torch

from fixbook.recipe.helpers import limits

FILE = Path("checkpoint.pt")
ROOM = 1_000_000  # bytes that are left
POINTER = b"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a214614ab2935\nsize 2000\n"
PAGE = b"<!doctype html>\n<html><head><title>checkpoint.pt</title></head></html>\n"


def checkpoint(step: int) -> dict[str, Any]:
    """Return what a run would save."""
    return {"step": step, "weight": torch.ones(500_000)}


def interrupted(write: Any) -> str:
    """Save twice; the second time there is not enough room. Return how saving failed."""
    write(checkpoint(1))
    try:
        with limits(file_size=ROOM):
            write(checkpoint(2))
    except RuntimeError as error:
        return str(error)
    return ""


def broken(state: str, **options: Any) -> None:
    """Leave what a download leaves: all of the file, or something else."""
    torch.save(checkpoint(1), FILE, **options)
    whole = FILE.read_bytes()
    middle = len(whole) // 2
    flipped = whole[:middle] + bytes([whole[middle] ^ 1]) + whole[middle + 1 :]
    states = {"cut": whole[:-1], "pointer": POINTER, "page": PAGE, "flipped": flipped, "empty": b""}
    states["text"] = whole.replace(b"\n", b"\r\n")
    FILE.write_bytes(states.get(state, whole))


def takes_objects(**options: Any) -> bool:
    """Tell whether torch.load, with these options, restores any object."""
    torch.save(argparse.Namespace(step=1), "object.pt")
    try:
        torch.load("object.pt", **options)
    except Exception:  # noqa: BLE001 - whatever it raises, the answer is no
        return False
    return True
