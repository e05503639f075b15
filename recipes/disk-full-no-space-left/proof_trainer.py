"""The Trainer, on disks with room for so many of its checkpoints."""

from __future__ import annotations

import contextlib
import shutil
from pathlib import Path
from typing import Any

from failure import disk, trainer

from fixbook.recipe import measure, snippet

CHECKPOINT = 380_000  # bytes that one checkpoint takes up on the disk
OUT = Path("output")


class Nobody:
    """In the place of a Trainer: it is told what to resume from."""

    def train(self, resume_from_checkpoint: str) -> None:
        """Do nothing."""


def saved(room: float, **options: Any) -> dict[str, Any]:
    """Train on a disk with room for so many checkpoints, and say which are there in the end."""
    OUT.symlink_to(disk(int(room * CHECKPOINT)))
    try:
        trainer(OUT, **options).train()
    finally:
        measure(kept=sorted(path.name for path in OUT.iterdir()))
    return {}


def unfinished(room: float) -> dict[str, Any]:
    """Train as above, and list the checkpoints that cannot be resumed."""
    with contextlib.suppress(RuntimeError):
        saved(room)
    seen = snippet("resume", trainer=Nobody())
    return {"found": len(seen["whole"]) < len(seen["checkpoints"])}


def resume() -> dict[str, Any]:
    """Fill the disk, see what True resumes from, make room, and resume as the page does."""
    with contextlib.suppress(RuntimeError):
        saved(2.5)
    try:
        trainer(OUT).train(resume_from_checkpoint=True)
    except FileNotFoundError as error:
        measure(with_true=type(error).__name__, wanted=Path(error.filename).parts[-2:])
    for name in ("checkpoint-1", "checkpoint-3"):
        shutil.rmtree(OUT / name)
    last = trainer(OUT)
    seen = snippet("resume", trainer=last)
    found = len(seen["whole"]) < len(seen["checkpoints"])
    left = sorted(path.name for path in OUT.iterdir())
    return {"step": last.state.global_step, "left": left, "found": found}
