"""The files under a folder: bounded, regular, and none that a link leads out to."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from fixbook.text import _

MOST_FILES = 50_000
MOST_DEPTH = 16


def files_of(root: Path, notes: list[str]) -> list[Path]:
    """Return the regular files under a folder, sorted.

    Args:
        root: The folder. Links to folders are not followed, nor links to files outside of it.
        notes: Receives a line if there are more files than are looked at.
    """
    inside = root.resolve()
    found: list[Path] = []
    for folder, folders, names in os.walk(root, onerror=None):
        here = Path(folder)
        deep = len(here.relative_to(root).parts) >= MOST_DEPTH
        folders[:] = [] if deep else sorted(name for name in folders if not name.startswith("."))
        found += [path for name in names if _regular(path := here / name, inside)]
        if len(found) > MOST_FILES:
            told = _("{name}: more than {count} files; the rest is not looked at")
            notes.append(told.format(name=root, count=MOST_FILES))
            break
    return sorted(found[:MOST_FILES])


def _regular(path: Path, inside: Path) -> bool:
    try:
        if path.is_symlink() and not path.resolve().is_relative_to(inside):
            return False
        return stat.S_ISREG(path.stat().st_mode)
    except (OSError, RuntimeError):  # gone meanwhile, forbidden, or a link to itself
        return False
