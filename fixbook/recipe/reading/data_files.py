"""Which files of a recipe folder its code names, such as configurations and C++ sources."""

from __future__ import annotations

import fnmatch
import functools
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

_NEVER = {"entry.yaml", "evidence", "logs", "__pycache__"}
_DEEP = 2  # below this many folders a bare file name says too little


def data_files(folder: Path) -> list[Path]:
    """Return the files that steps may read, sorted; never the entry's texts, logs or evidence."""
    return sorted(
        path
        for path in folder.rglob("*")
        if path.is_file()
        and not _NEVER & set(path.relative_to(folder).parts)
        and not any(part.startswith(".") for part in path.relative_to(folder).parts)
    )


def named_files(folder: Path, files: Iterable[Path], texts: Iterable[str]) -> list[Path]:
    """Pick the files that texts out of the code name; rather one too many than one too few.

    Args:
        folder: The recipe folder.
        files: Its files.
        texts: String constants; ``*`` stands for what is filled in at run time. A text names a file
            by its path, by its bare name, by its suffix (``.cpp``), by a pattern, or by a folder.
    """
    found = []
    known = list(texts)
    for path in files:
        relative = path.relative_to(folder).as_posix()
        named = _whole_word(relative), _whole_word(path.name)
        if any(_names(text, relative, *named) for text in known):
            found.append(path)
    return found


@functools.cache
def _whole_word(name: str) -> re.Pattern[str]:
    return re.compile(rf"(?:^|[^\w.-]){re.escape(name)}(?:$|[^\w-])")


def _names(text: str, relative: str, by_path: re.Pattern[str], by_name: re.Pattern[str]) -> bool:
    folders, _, name = relative.rpartition("/")
    shallow = relative.count("/") < _DEEP
    if (relative in text and by_path.search(text)) or (
        shallow and name in text and by_name.search(text)
    ):
        return True
    if shallow and re.fullmatch(r"\.\w+", text) and name.endswith(text):
        return True
    if folders and text.strip("/") and f"/{folders}/".startswith(f"/{text.strip('/')}/"):
        return True
    if "*" in text and re.search(r"\w", text):
        return fnmatch.fnmatch(relative, text) or (shallow and fnmatch.fnmatch(name, text))
    return False
