"""The wheel of this checkout, built once in a run: it compiles the whole book, which takes long."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

from filelock import FileLock

from fixbook.site_address import WHEEL
from generator.exports.takeaway import write_wheel

if TYPE_CHECKING:
    from pathlib import Path

_PATIENCE_S = 1800  # a machine that is busy with other tests takes minutes


def wheel_in(shared: Path) -> Path:
    """Return the wheel, built by whatever worker asks first.

    Args:
        shared: Folder of all workers of this run.
    """
    folder = shared / "wheel-of-this-checkout"
    with FileLock(f"{folder}.lock"):
        if not folder.is_dir():
            unfinished = shared / f"{folder.name}-unfinished"
            write_wheel(unfinished, _PATIENCE_S)
            unfinished.rename(folder)
    return folder / WHEEL


def copied_wheel(shared: Path, folder: Path) -> None:
    """Put the wheel into a folder, in place of `write_wheel`."""
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copy2(wheel_in(shared), folder / WHEEL)
