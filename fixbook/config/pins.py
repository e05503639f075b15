"""Which release of a tool a reader's repository pins: in requirements or a lock beside a file."""

from __future__ import annotations

import contextlib
import re
from typing import TYPE_CHECKING

from fixbook.config.tools import TOOLS

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from fixbook.config.setting import ConfigDocument

_MOST_BYTES = 4 * 1024 * 1024
_MOST_FOLDERS = 8  # from the file up to the root of its repository
_LOCKS = ("uv.lock", "poetry.lock", "pdm.lock", "pylock.toml")
_LISTED = ("requirements*.txt", "requirements/*.txt", "constraints*.txt", "pyproject.toml",
           "setup.cfg", "environment.y*ml")  # fmt: skip
_NAMES = "|".join(name.replace("-", "[-_.]") for name in TOOLS)
_LOCKED = re.compile(rf"(?i)\bname = \"({_NAMES})\"\s{{1,4}}version = \"([0-9][\w.]{{0,30}})\"")
_PINNED = re.compile(
    rf"(?im)^[ \t]*(?:-[ \t]+)?[\"']?({_NAMES})(?:\[[\w, -]{{0,80}}\])?[ \t]*==[ \t]*"
    r"([0-9]{1,4}(?:\.[0-9]{1,5}){1,3})(?![\w.*])"
)


def pin(document: ConfigDocument) -> None:
    """Give the sections of a document whose release nobody names that of its repository."""
    open_ones = [item for item in document.sections if item.tool and item.schema.version is None]
    if not open_ones:
        return
    found = pins(document.path)
    for section in open_ones:
        section.schema = section.schema.at(found.get(section.tool))


def pins(path: Path) -> dict[str, str]:
    """Return the release of each tool that is pinned nearest to a file, by name.

    One that is pinned to two releases in the same folder is left out.
    """
    found: dict[str, str] = {}
    with contextlib.suppress(OSError):
        for folder in folders_above(path.resolve().parent):
            here: dict[str, set[str]] = {}
            for name, release in _of(folder):
                here.setdefault(name, set()).add(release)
            for name, releases in here.items():
                found.setdefault(name, releases.pop() if len(releases) == 1 else "")
    return {name: release for name, release in found.items() if release}


def folders_above(folder: Path) -> Iterator[Path]:
    """Yield the folder and those above it, up to the one that holds the repository."""
    listed = [folder, *folder.parents][:_MOST_FOLDERS]
    root = next((at for at, one in enumerate(listed) if (one / ".git").exists()), 0)
    yield from listed[: root + 1]


def _of(folder: Path) -> Iterator[tuple[str, str]]:
    """Yield what a folder pins: its lock, and where there is none, its requirements."""
    locks = list(_matches(_LOCKED, [folder / name for name in _LOCKS]))
    listed = [path for pattern in _LISTED for path in sorted(folder.glob(pattern))]
    yield from locks or _matches(_PINNED, listed)


def _matches(pattern: re.Pattern[str], paths: list[Path]) -> Iterator[tuple[str, str]]:
    for path in paths:
        with contextlib.suppress(OSError):
            if path.is_file() and path.stat().st_size <= _MOST_BYTES:
                text = path.read_text("utf-8", "replace")
                for name, release in pattern.findall(text):
                    yield re.sub(r"[-_.]+", "-", name.lower()), release
