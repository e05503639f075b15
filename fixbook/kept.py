"""What is made from a book's files, kept as JSON until one of them, or our own code, changes."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fixbook import __version__
from fixbook.files import cache_folder, write_atomically

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

_READ = (".yaml", ".txt", ".log", ".json", ".py")
_OLD_S = 30 * 24 * 3600  # after that long a book that was not asked for is made again


def kept(
    root: Path, name: str, build: Callable[[Path], dict[str, Any]], holds: set[str]
) -> dict[str, Any]:
    """Return what is kept of a book, or make it and keep it; that nothing takes it is no error.

    Args:
        root: The book, as `fixbook.book_root.book_root` finds it.
        name: What it is; part of a file's name.
        build: Makes it.
        holds: Keys that it has at least: anything else may lie in a file's place.
    """
    series = f"{name}-{hashlib.sha256(str(root).encode()).hexdigest()[:8]}-"
    file = f"{series}{_state_of(root)}.json"
    # Where the user's folder cannot be written, that of the checkout keeps it.
    folders = [cache_folder(), root / ".cache"]
    for folder in folders:
        if rows := read_rows(folder / file, holds):
            return rows
    rows = build(root)
    _keep(json.dumps(rows, ensure_ascii=False), folders, file, series)
    return rows


def read_rows(path: Path, holds: set[str]) -> dict[str, Any] | None:
    """Return what a file holds; None if there is none, or something else lies in its place.

    Args:
        path: The file.
        holds: Keys that it has at least.
    """
    try:
        rows = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError):
        return None
    return rows if isinstance(rows, dict) and holds <= rows.keys() else None


def _keep(text: str, folders: Iterable[Path], file: str, series: str) -> None:
    """Write it into the first folder that takes it, in place of what an earlier state made."""
    for folder in folders:
        with contextlib.suppress(OSError):
            folder.mkdir(parents=True, exist_ok=True)
            write_atomically(folder / file, text)
            _clear(folder, file, series)
            return


def _clear(folder: Path, file: str, series: str) -> None:
    kind = series.rsplit("-", 2)[0]
    for path in folder.glob(f"{kind}-*.json"):
        with contextlib.suppress(OSError):
            earlier = path.name.startswith(series) and path.name != file
            if earlier or time.time() - path.stat().st_mtime > _OLD_S:
                path.unlink()


def _state_of(root: Path) -> str:
    state = hashlib.sha256(__version__.encode())
    for part in _files_of(root):
        state.update(part.encode())
    return state.hexdigest()[:16]


def _files_of(root: Path) -> Iterator[str]:
    """Name, size and time of every file of the book and of our code."""
    folders = [root / "symptoms", *_packages(Path(__file__).parent)]
    with contextlib.suppress(OSError):
        folders += [rule for rule in (root / "rules").iterdir() if rule.is_dir()]
    with contextlib.suppress(OSError):
        for entry in (root / "recipes").iterdir():
            folders += [entry, entry / "logs", entry / "evidence"] if entry.is_dir() else []
    for folder in sorted(folders):
        with contextlib.suppress(OSError), os.scandir(folder) as files:
            for file in sorted(files, key=lambda item: item.name):
                if file.name.endswith(_READ):
                    seen = file.stat()
                    yield f"{folder.name}/{file.name}:{seen.st_size}:{seen.st_mtime_ns}\n"


def _packages(folder: Path) -> Iterator[Path]:
    """A package and those below it."""
    yield folder
    with contextlib.suppress(OSError), os.scandir(folder) as files:
        below = [Path(one) for one in files if one.is_dir() and one.name != "__pycache__"]
    for one in below:
        yield from _packages(one)
