"""What the archive says of itself, and what torch.load does not ask it."""

from __future__ import annotations

from typing import Any

import torch
from failure import FILE, broken

from fixbook.recipe import detect, snippet


def look(state: str) -> dict[str, Any]:
    """Say what the page says of the file."""
    broken(state)
    said = snippet("look", path=str(FILE))["said"]
    return {"found": said != "whole", "said": said}


@detect(found=True)
def names_the_pointer() -> dict[str, Any]:
    """No archive, and how it begins."""
    return look("pointer")


@detect(found=True)
def finds_no_archive() -> dict[str, Any]:
    """It begins as an archive does, and does not end as one."""
    return look("cut")


@detect(found=True)
def finds_the_line_ends() -> dict[str, Any]:
    """Its index is there, and the records are not where it says."""
    return look("text")


@detect(found=False, control="finds-no-archive")
def accepts_the_whole() -> dict[str, Any]:
    """All sums agree."""
    return look("whole")


@detect(found=True)
def one_bit_flipped() -> dict[str, Any]:
    """It loads, and one value is another."""
    found = look("flipped")
    weight = torch.load(FILE)["weight"]
    return found | {"others": int((weight != 1).sum())}
