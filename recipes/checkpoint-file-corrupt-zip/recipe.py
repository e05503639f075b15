"""A checkpoint that was not written, or not fetched, to its end."""
# /// script
# requires-python = ">=3.11"
# dependencies = ["fixbook", "torch==2.13.0"]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

from typing import Any

import torch
from failure import FILE, broken, checkpoint, interrupted, takes_objects

from fixbook.recipe import fix, main, measure, non_fix, reproduce, snippet


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
    return {"step": step, "after": torch.load(FILE)["step"]}


def fetch(state: str, **options: Any) -> dict[str, Any]:
    """Load what a download left."""
    measure(takes_objects=takes_objects(**options))
    broken(state)
    return {"step": torch.load(FILE, **options)["step"]}


@reproduce()
def saved_over() -> dict[str, Any]:
    """The old checkpoint is gone, the new one is not all there."""
    return save("over")


@fix("aside", control="saved-over")
def saved_aside() -> dict[str, Any]:
    """The old checkpoint is there until the new one is."""
    return save("aside")


@non_fix("old-format", control="saved-over")
def saved_in_the_old_format() -> dict[str, Any]:
    """No archive, and no end either."""
    return save("old format")


@reproduce()
def last_byte_missing() -> dict[str, Any]:
    """The index of the archive stands at its end."""
    return fetch("cut")


@fix("fetch-again", control="last-byte-missing")
def fetched() -> dict[str, Any]:
    """The file, whole."""
    return fetch("whole")


@reproduce()
def sent_as_text() -> dict[str, Any]:
    """Every line end has one byte more than the index counts with."""
    return fetch("text")


@fix("fetch-again", control="sent-as-text")
def sent_as_it_is() -> dict[str, Any]:
    """The file, byte by byte."""
    return fetch("whole")


@reproduce()
def pointer() -> dict[str, Any]:
    """118 is the letter v, of version."""
    return fetch("pointer")


@fix("fetch-again", control="pointer")
def fetched_instead() -> dict[str, Any]:
    """The file that the pointer stands for."""
    return fetch("whole")


@non_fix("any-object", control="pointer")
def pointer_as_any_object() -> dict[str, Any]:
    """The same letter, without a list."""
    return fetch("pointer", weights_only=False)


@reproduce()
def page() -> dict[str, Any]:
    """60 is what a web page begins with."""
    return fetch("page")


if __name__ == "__main__":
    main(__file__)
