"""A PATH that lacks a program, on a machine that has it."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path


def path_without(*programs: str) -> str:
    """Return this process's PATH without these programs; nothing else goes missing.

    A folder that holds one of them is replaced by links to everything else in it.

    Args:
        *programs: Their names, such as ``ninja``.

    Returns:
        What to set ``os.environ["PATH"]`` to.
    """
    folders = [folder for folder in os.environ["PATH"].split(os.pathsep) if folder]
    return os.pathsep.join(
        _links(folder, programs)
        if any(shutil.which(program, path=folder) for program in programs)
        else folder
        for folder in folders
    )


def _links(folder: str, without: tuple[str, ...]) -> str:
    links = Path(tempfile.mkdtemp())
    for file in Path(folder).iterdir():
        if file.name not in without:
            (links / file.name).symlink_to(file)
    return str(links)
