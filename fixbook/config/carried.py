"""Tools whose source a repository carries: what it launches is its own copy, not a release."""

from __future__ import annotations

import contextlib
import re
from typing import TYPE_CHECKING

from packaging.version import InvalidVersion, Version

if TYPE_CHECKING:
    from collections.abc import Container, Iterator
    from pathlib import Path

_MOST_CHARACTERS = 20_000
_NAMED = re.compile(r"(?m)(?:^|\b(?:VERSION|__version__) = [\"'])(\d+(?:\.\w+){1,4})(?=[\"'\s]|$)")
# Of each tool, files that have to be there; the first says which release the copy began as.
_COPIES: dict[str, tuple[str, ...]] = {
    "verl": ("verl/version/version", "verl/__init__.py"),
    "llamafactory": ("src/llamafactory/extras/env.py", "src/llamafactory/__init__.py"),
    "openrlhf": ("version.txt", "openrlhf/__init__.py"),
    "ms-swift": ("swift/version.py", "swift/cli/main.py"),
    "peft": ("src/peft/__init__.py", "src/peft/peft_model.py"),
}


def carried(folder: Path, tools: Container[str]) -> Iterator[tuple[str, str, Path]]:
    """Yield tool, release and file of each copy of a tool's source in a folder, or one below it.

    Args:
        folder: The folder.
        tools: Those that are looked for, as each costs a look into every folder below.
    """
    for tool, (named, *beside) in _COPIES.items():
        if tool not in tools:
            continue
        with contextlib.suppress(OSError, InvalidVersion):
            for source in [folder / named, *sorted(folder.glob(f"*/{named}"))]:
                root = source.parents[named.count("/")]
                if not source.is_file() or not all((root / name).is_file() for name in beside):
                    continue
                with source.open(encoding="utf-8", errors="replace") as file:
                    found = _NAMED.search(file.read(_MOST_CHARACTERS))
                if found:
                    yield tool, Version(found[1]).base_version, source
