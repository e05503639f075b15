"""Names that a tool has given up, and that somebody else still reads under the same name."""

from __future__ import annotations

import contextlib
import functools
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from fixbook.config.setting import ConfigDocument

# Unsloth puts classes of its own in the place of TRL's, which take this name still.
_PATCHED = {"max_seq_length": re.compile(r"(?m)^[ \t]*(?:from|import)[ \t]+unsloth\b")}
_MOST_FILES, _MOST_BYTES = 40, 200_000


def is_read_by_another(document: ConfigDocument, key: str) -> bool:
    """Tell whether a key is read by a program of the repository, or by a class that is patched.

    Args:
        document: The file that has it.
        key: A name that the tool itself refuses.
    """
    if document.kind == "python":
        return key in _PATCHED and bool(_PATCHED[key].search(document.text))
    if not document.on_disk or document.kind == "shell":
        return False
    name = rf"""["']{re.escape(key)}["']"""
    read = re.compile(rf"\[\s*{name}\s*\]|\bget\(\s*{name}")
    with contextlib.suppress(OSError):
        for path in sorted(document.path.resolve().parent.glob("*.py"))[:_MOST_FILES]:
            state = path.stat()
            small = path.is_file() and state.st_size <= _MOST_BYTES
            if small and read.search(_text(path, state.st_mtime_ns, state.st_size)):
                return True
    return False


@functools.lru_cache(maxsize=_MOST_FILES)  # the programs of a folder are asked of every key
def _text(path: Path, _changed_ns: int, _size: int) -> str:
    return path.read_text("utf-8", "replace")
