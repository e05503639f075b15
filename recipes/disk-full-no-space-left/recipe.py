"""A checkpoint is saved where not enough room is left."""
# /// script
# requires-python = ">=3.11"
# dependencies = [
#     "fixbook", "torch==2.13.0", "transformers==5.23.0", "safetensors==0.8.0", "datasets==5.2.0",
# ]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch
from failure import disk, loads, save_safetensors, state

from fixbook.recipe import fix, main, measure, non_fix, reproduce, snippet

if TYPE_CHECKING:
    from pathlib import Path


def save(file: Path, how: str, step: int) -> None:
    """Save that step."""
    if how == "aside":
        snippet("aside", checkpoint=state(step), path=str(file))
    elif file.suffix == ".safetensors":
        save_safetensors(file, step)
    else:
        torch.save(state(step), file, _use_new_zipfile_serialization=how != "old format")


def measured(file: Path, how: str = "") -> dict[str, Any]:
    """Save step 2, and say what is there then, whether it was saved or not."""
    try:
        save(file, how, 2)
    finally:
        files = sorted(path.name for path in file.parent.iterdir())
        measure(size=file.stat().st_size, files=files, loads=loads(file))
        measure(archive=file.read_bytes()[:2] == b"PK")
    return {}


def beside(old: str, how: str = "") -> dict[str, Any]:
    """Save 2 MB on a disk of 3 MB that holds an old file of 2 MB, or held it."""
    place = disk(3_000_000)
    file = place / "old.safetensors"
    save_safetensors(file, 2)
    mapped = torch.from_file(str(file), shared=True, size=1 if old == "mapped" else 0)
    if old != "kept":
        file.unlink()
    left = snippet("room", folder=str(place))["left"]
    measure(mapped=mapped.numel() == 1 and not file.exists(), found=left["MB"] < 2)
    return measured(place / "checkpoint.pt", how)


def over(name: str, how: str = "") -> dict[str, Any]:
    """Save 1 MB on a disk of 1.5 MB, and then 2 MB under the same name."""
    file = disk(1_500_000) / name
    save(file, "", 1)
    return measured(file, how)


@reproduce()
def no_room() -> dict[str, Any]:
    """A part of the file is there, and the message names no disk."""
    return beside("kept")


@fix("room", control="no-room")
def deleted() -> dict[str, Any]:
    """The old file is deleted before."""
    return beside("deleted")


@reproduce()
def deleted_while_mapped() -> dict[str, Any]:
    """The name is gone, the bytes are not."""
    return beside("mapped")


@non_fix("old-format", control="no-room")
def in_the_old_format() -> dict[str, Any]:
    """The message is better."""
    return beside("kept", "old format")


@reproduce()
def saved_over() -> dict[str, Any]:
    """The checkpoint before is lost, too."""
    return over("checkpoint.pt")


@fix("aside", control="saved-over")
def saved_aside() -> dict[str, Any]:
    """The checkpoint before is there, and nothing else."""
    return over("checkpoint.pt", "aside")


@reproduce()
def safetensors_over() -> dict[str, Any]:
    """Safetensors writes under another name by itself."""
    return over("model.safetensors")


@reproduce()
def no_inodes() -> dict[str, Any]:
    """There are bytes, and no file can be added."""
    place = disk(3_000_000, inodes=1)
    torch.save(state(1), place / "checkpoint.pt")
    return {}


if __name__ == "__main__":
    main(__file__)
