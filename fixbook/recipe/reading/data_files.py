"""Which files of a recipe folder its code names, such as configurations and C++ sources."""

from __future__ import annotations

import fnmatch
import functools
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

_NEVER = {"entry.yaml", "evidence", "logs", "__pycache__"}
_IN_TEXT = re.compile(r"(?:^|[;\n])\s*(?:import|from)\s+(\w+)")
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


def named_files(folder: Path, files: Iterable[Path], text: str) -> Iterator[Path]:
    """Pick the files that a text out of the code names; rather one too many than one too few.

    Args:
        folder: The recipe folder.
        files: Its files.
        text: A string constant; ``*`` stands for what is filled in at run time. It names a file by
            its path, by its bare name, by its suffix (``.cpp``), by a pattern, by a folder, or, of
            a Python file, as one does with ``-m`` or in code of its own.
    """
    for path in files:
        relative = path.relative_to(folder).as_posix()
        if _names(text, relative) or (path.suffix == ".py" and _runs(path.stem, text)):
            yield path


def _runs(stem: str, text: str) -> bool:
    return text == stem or stem in imports_in(text)


def imports_in(text: str) -> list[str]:
    """Return the modules that code in a text imports."""
    return _IN_TEXT.findall(text)


@functools.cache
def _whole_word(name: str) -> re.Pattern[str]:
    return re.compile(rf"(?:^|[^\w.-]){re.escape(name)}(?:$|[^\w-])")


def _names(text: str, relative: str) -> bool:
    folders, _, name = relative.rpartition("/")
    shallow = relative.count("/") < _DEEP
    if (relative in text and _whole_word(relative).search(text)) or (
        shallow and name in text and _whole_word(name).search(text)
    ):
        return True
    if shallow and re.fullmatch(r"\.\w+", text) and name.endswith(text):
        return True
    if folders and text.strip("/") and f"/{folders}/".startswith(f"/{text.strip('/')}/"):
        return True
    if "*" in text and re.search(r"\w", text):
        return fnmatch.fnmatch(relative, text) or (shallow and fnmatch.fnmatch(name, text))
    return False
