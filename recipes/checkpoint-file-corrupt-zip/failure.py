"""A checkpoint that is written over an older one while the disk fills up, and broken downloads."""

from __future__ import annotations

import argparse
import io
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch

from fixbook.recipe.helpers import limits

if TYPE_CHECKING:
    from collections.abc import Callable

FILE = Path("checkpoint.pt")
ROOM = 1_000_000  # bytes that are left
POINTER = b"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a214614ab2935\nsize 2000\n"
PAGE = b"<!doctype html>\n<html><head><title>checkpoint.pt</title></head></html>\n"


def checkpoint(step: int, **more: Any) -> dict[str, Any]:
    """Return what a run would save."""
    return {"step": step, **more, "weight": torch.ones(500_000)}


def of_rank(rank: int) -> dict[str, Any]:
    """Return what a rank would save; ranks have seen other rows."""
    return checkpoint(1, rows=list(range(100 - 100 * rank)))


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
    if state == "unpacked":
        with zipfile.ZipFile(FILE) as archive:
            states[state] = archive.read("checkpoint/data.pkl")
    states["text"] = whole.replace(b"\n", b"\r\n")
    FILE.write_bytes(states.get(state, whole))


class Meanwhile(io.FileIO):
    """The checkpoint as one rank writes it; half way, the others save to the same path."""

    def __init__(self, others: list[Callable[[Any], None]]) -> None:
        super().__init__(str(FILE), "w")
        self.others = others

    def write(self, data: Any) -> int:
        """Write, and let the others save once half of the file is there."""
        written = super().write(data)
        if self.others and self.tell() > ROOM:
            self.others.pop()(theirs := io.BytesIO())
            if theirs.getvalue():
                FILE.write_bytes(theirs.getvalue())
        return written


def saved_together(save: Callable[[int, Any], None]) -> None:
    """Let two ranks save at the same time."""
    with Meanwhile([lambda other: save(1, other)]) as file:
        save(0, file)


def takes_objects(**options: Any) -> bool:
    """Tell whether torch.load, with these options, restores any object."""
    torch.save(argparse.Namespace(step=1), "object.pt")
    try:
        torch.load("object.pt", **options)
    except Exception:  # noqa: BLE001 - whatever it raises, the answer is no
        return False
    return True
