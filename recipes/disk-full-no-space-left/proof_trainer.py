"""The Trainer, on disks with room for so many of its checkpoints."""

from __future__ import annotations

import contextlib
import shutil
from pathlib import Path
from typing import Any

from failure import disk, train

from fixbook.recipe import detect, fix, measure, reproduce, snippet

CHECKPOINT = 380_000  # bytes that one checkpoint takes up on the disk


def saved(room: float, **options: Any) -> Path:
    """Train on a disk with room for so many checkpoints, and say which are there in the end."""
    folder = disk(int(room * CHECKPOINT)) / "out"
    try:
        train(folder, **options)
    finally:
        measure(kept=sorted(path.name for path in folder.iterdir()))
    return folder


def unfinished(room: float) -> dict[str, Any]:
    """Train as above, and list the checkpoints that cannot be resumed."""
    try:
        folder = saved(room)
    except RuntimeError:
        folder = Path("disk/out")
    found = listed(folder)
    return {"found": bool(found), "unfinished": found}


def listed(folder: Path) -> list[str]:
    """List checkpoints that cannot be resumed, as the page does."""
    names: list[str] = snippet("unfinished", output_dir=str(folder))["unfinished"]
    return names


@reproduce()
def trainer_keeps_all() -> dict[str, Any]:
    """The third does not fit."""
    return {"folder": str(saved(2.5))}


@fix("keep-fewer", control="trainer-keeps-all")
def trainer_keeps_one() -> dict[str, Any]:
    """The one before is deleted once the next is there."""
    return {"folder": str(saved(2.5, save_total_limit=1))}


@fix("room", control="trainer-keeps-all")
def resumed_by_path() -> dict[str, Any]:
    """Fill the disk, see what True resumes from, make room, and name the last whole one."""
    out = Path("disk/out")
    with contextlib.suppress(RuntimeError):
        saved(2.5)
    try:
        train(out, resume=True)
    except FileNotFoundError as error:
        measure(with_true=type(error).__name__, wanted=Path(error.filename).parts[-2:])
    measure(unfinished=listed(out))
    for name in ("checkpoint-1", "checkpoint-3"):
        shutil.rmtree(out / name)
    trainer = train(out, resume=str(out / "checkpoint-2"))
    measure(found=bool(listed(out)))
    return {"step": trainer.state.global_step, "left": sorted(x.name for x in out.iterdir())}


@reproduce()
def trainer_keeps_one_and_has_room_for_one() -> dict[str, Any]:
    """Two have to fit."""
    return {"folder": str(saved(1.5, save_total_limit=1))}


@detect(found=True)
def one_is_unfinished() -> dict[str, Any]:
    """The last one has no state."""
    return unfinished(2.5)


@detect(found=False, control="one-is-unfinished")
def all_are_finished() -> dict[str, Any]:
    """All three are whole."""
    return unfinished(3.5)
