"""What is made from a book's files, kept as JSON until one of them, or our own code, changes."""

from __future__ import annotations

import contextlib
import hashlib
import os
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fixbook import __version__
from fixbook.files import cache_folder, write_atomically
from fixbook.laid_out import laid_out, rows_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

_READ = (".yaml", ".yml", ".txt", ".log", ".json", ".toml", ".sh", ".py", ".mo")
_OLD_S = 30 * 24 * 3600  # after that long a book that was not asked for is made again


def kept(
    root: Path,
    name: str,
    build: Callable[[Path], dict[str, Any]],
    holds: set[str],
    parts: Iterable[str] | None = None,
    later: Iterable[str] = (),
) -> dict[str, Any]:
    """Return what is kept of a book, or make it and keep it; that nothing takes it is no error.

    Args:
        root: The book, as `fixbook.book_root.book_root` finds it.
        name: What it is; part of a file's name.
        build: Makes it.
        holds: Keys that it has at least: anything else may lie in a file's place.
        parts: Files and folders of the book that it is made from; by default all that indexes of
            the whole book are made from.
        later: What of it is seldom needed, and so parsed only then.
    """
    series = f"{name}-{hashlib.sha256(str(root).encode()).hexdigest()[:8]}-"
    file = f"{series}{_state_of(_whole(root) if parts is None else parts)}.json"
    # Where the user's folder cannot be written, that of the checkout keeps it.
    folders = [cache_folder(), root / ".cache"]
    for folder in folders:
        if rows := read_rows(folder / file, holds):
            return rows
    rows = build(root)
    _keep(laid_out(rows, later), folders, file, series)
    return rows


def read_rows(path: Path, holds: set[str]) -> dict[str, Any] | None:
    """Return what a file holds; None if there is none, or something else lies in its place.

    Args:
        path: The file.
        holds: Keys that it has at least.
    """
    try:
        rows = rows_of(path.read_bytes())
    except (OSError, ValueError, RecursionError):
        return None
    return rows if holds <= rows.keys() else None


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


def _state_of(parts: Iterable[str]) -> str:
    state = hashlib.sha256(__version__.encode())
    for part in (*parts, *below(str(Path(__file__).parent))):
        for row in _seen(part):
            state.update(row.encode())
    return state.hexdigest()[:16]


def _whole(root: Path) -> Iterator[str]:
    yield f"{root}/symptoms"
    yield from inside(f"{root}/rules")
    for entry in inside(f"{root}/recipes"):
        yield from (entry, f"{entry}/logs", f"{entry}/evidence")


def inside(folder: str) -> list[str]:
    """Return what lies in a folder, sorted; nothing if it cannot be read."""
    with contextlib.suppress(OSError), os.scandir(folder) as found:
        return sorted(one.path for one in found)
    return []


def below(folder: str) -> Iterator[str]:
    """Yield a folder and all folders below it, those of Python's caches left out."""
    yield folder
    folders: list[str] = []
    with contextlib.suppress(OSError), os.scandir(folder) as found:
        folders = sorted(one.path for one in found if one.is_dir() and one.name != "__pycache__")
    for one in folders:
        yield from below(one)


def _seen(part: str) -> Iterator[str]:
    """Name, size and time of a file, or of those of a folder that a book or our code is read from.

    What is not there, or cannot be read, is as if it were not.
    """
    try:
        with os.scandir(part) as found:
            files = [one for one in found if one.name.endswith(_READ)]
    except NotADirectoryError:
        yield _row(Path(part), part)
        return
    except OSError:
        return
    for file in sorted(files, key=lambda one: one.name):
        yield _row(file, part)


def _row(file: os.DirEntry[str] | Path, part: str) -> str:
    try:
        seen = file.stat()
    except OSError:
        return ""
    return f"{part}/{file.name}:{seen.st_size}:{seen.st_mtime_ns}\n"
