"""What is loaded, what the archive says of itself, and what torch.load does not ask it."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import torch
from failure import (
    FILE,
    broken,
    checkpoint,
    interrupted,
    of_rank,
    saved_together,
    takes_objects,
)

from fixbook.recipe import measure, snippet


def save(how: str) -> dict[str, Any]:
    """Save, save again without enough room, load what is there; then save with enough room."""

    def write(state: Any) -> None:
        if how == "aside":
            snippet("aside", checkpoint=state, path=str(FILE))
        else:
            torch.save(state, FILE, _use_new_zipfile_serialization=how != "old format")

    measure(saving=interrupted(write), archive=FILE.read_bytes()[:2] == b"PK")
    step = torch.load(FILE)["step"]
    write(checkpoint(3))
    return {"step": step, "after": torch.load(FILE)["step"], **look()}


def fetch(state: str, **options: Any) -> dict[str, Any]:
    """Load what a download left."""
    measure(takes_objects=takes_objects(**options))
    broken(state)
    return {"step": torch.load(FILE, **options)["step"], **look()}


def by_ranks(*, as_printed: bool) -> dict[str, Any]:
    """Save on two ranks, load what is there; ``as_printed``: with the page's lines on each."""

    def write(rank: int, file: Any) -> None:
        if as_printed:
            dist = SimpleNamespace(get_rank=lambda: rank, barrier=lambda: None)
            snippet("one-writer", dist=dist, torch=torch, checkpoint=of_rank(rank), path=file)
        else:
            torch.save(of_rank(rank), file)

    saved_together(write)
    return {"step": torch.load(FILE)["step"], **look()}


def look() -> dict[str, Any]:
    """Say what the page says of the file that lies there."""
    said = snippet("look", folder=FILE.resolve().parent)["look"](FILE)
    return {"found": said != "whole", "said": said}


def look_at(state: str, **options: Any) -> dict[str, Any]:
    """Say what the page says of a file in one of its states."""
    broken(state, **options)
    return look()


def look_at_others() -> dict[str, Any]:
    """Ask it of an empty checkpoint, of one with objects, and of a script."""
    said = []
    for state in ({}, {"rng": torch.get_rng_state(), "name": "a", "none": torch.ones(0)}):
        torch.save(state, FILE)
        said.append(look()["said"])
    torch.jit.save(torch.jit.script(torch.nn.Linear(2, 2)), FILE)
    said.append(look()["said"])
    return {"found": set(said) != {"whole"}, "asked": len(said)}


def look_without_sums() -> dict[str, Any]:
    """Ask it of a whole checkpoint that was saved without sums."""
    torch.serialization.set_crc32_options(False)
    broken("whole")
    return {"step": torch.load(FILE)["step"], **look()}


def flip() -> dict[str, Any]:
    """Load a file with one bit flipped."""
    found = look_at("flipped")
    weight = torch.load(FILE)["weight"]
    return found | {"others": int((weight != 1).sum())}
