"""A checkpoint is saved where not enough room is left."""
# /// script
# requires-python = ">=3.11"
# dependencies = [
#     "fixbook", "torch==2.13.0", "transformers==5.23.0", "safetensors==0.8.0", "datasets==5.2.0",
#     "huggingface-hub==2.4.0",
# ]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import torch
from failure import disk, loads, save_safetensors, state
from proof_look import background, room
from proof_trainer import resume, saved, unfinished

from fixbook.recipe import (
    detect,
    fix,
    main,
    measure,
    non_fix,
    reproduce,
    snippet,
    snippet_text,
)
from fixbook.recipe.helpers import local_hub

HUB = {"HF_ENDPOINT": "http://hub.test", "HF_HUB_OFFLINE": "0", "HF_HUB_DISABLE_XET": "1"}


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


def in_a_shell(work: str, *, elsewhere: bool) -> int:
    """Fill a cache on a disk of 1 MB, or where the page puts it; return what was counted."""
    setting = snippet_text("elsewhere") if elsewhere else f"export HF_HOME={disk(1_000_000)}"
    code = f"import sys; sys.path[:0] = ['{Path(__file__).parent}']; import proof_cache as cache"
    script = f"{setting}\nexec '{sys.executable}' -c \"{code}; cache.{work}()\""
    done = subprocess.run(["bash", "-euc", script], stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode:
        sys.exit(done.returncode)
    return int(done.stdout.rpartition("counted=")[2])


def prepare(*, elsewhere: bool) -> dict[str, Any]:
    """Prepare a dataset."""
    return {"rows": in_a_shell("prepare", elsewhere=elsewhere)}


def download(*, elsewhere: bool) -> dict[str, Any]:
    """Download a model."""
    model = Path("model")
    model.mkdir()
    (model / "model.bin").write_bytes(os.urandom(2_000_000))
    with local_hub({"team/model": model}):
        return {"bytes": in_a_shell("download", elsewhere=elsewhere)}


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


@reproduce()
def cache_on_the_full_disk() -> dict[str, Any]:
    """The last error does not say it, the one before does."""
    return prepare(elsewhere=False)


@fix("cache", control="cache-on-the-full-disk")
def cache_elsewhere() -> dict[str, Any]:
    """The same rows on another disk."""
    return prepare(elsewhere=True)


@reproduce(env=HUB)
def download_on_the_full_disk() -> dict[str, Any]:
    """The cache of the Hub is on it."""
    return download(elsewhere=False)


@fix("cache", control="download-on-the-full-disk", env=HUB)
def download_elsewhere() -> dict[str, Any]:
    """The same file on another disk."""
    return download(elsewhere=True)


@reproduce()
def trainer_keeps_all() -> dict[str, Any]:
    """The third does not fit."""
    return saved(2.5)


@fix("keep-fewer", control="trainer-keeps-all")
def trainer_keeps_one() -> dict[str, Any]:
    """The one before is deleted once the next is there."""
    return saved(2.5, save_total_limit=1)


@reproduce()
def trainer_keeps_one_and_has_room_for_one() -> dict[str, Any]:
    """Two have to fit."""
    return saved(1.5, save_total_limit=1)


@fix("room", control="trainer-keeps-all")
def resumed_by_path() -> dict[str, Any]:
    """The last whole one is resumed, once there is room."""
    return resume()


@detect(found=True)
def one_is_unfinished() -> dict[str, Any]:
    """The last one has no state."""
    return unfinished(2.5)


@detect(found=False, control="one-is-unfinished")
def all_are_finished() -> dict[str, Any]:
    """All three are whole."""
    return unfinished(3.5)


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


if __name__ == "__main__":
    main(__file__)
