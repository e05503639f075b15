"""The index of a book as one file, so that diagnosis starts without reading any YAML."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fixbook import __version__
from fixbook.files import cache_folder, write_atomically

if TYPE_CHECKING:
    from collections.abc import Iterator

PACKAGED = "index.json"
_READ = (".yaml", ".txt", ".log", ".json", ".py")


def index_rows(root: Path) -> dict[str, Any]:
    """Return the index of the book at a root, from a cache that follows its files.

    Args:
        root: The book, as `fixbook.book.book_root` finds it.
    """
    packaged = root / PACKAGED
    if packaged.is_file():
        return _read(packaged) or _built(root)
    cache = _cache_file(root)
    rows = _read(cache)
    if rows is None:
        rows = _built(root)
        with contextlib.suppress(OSError):  # a cache that cannot be written is no error
            cache.parent.mkdir(parents=True, exist_ok=True)
            write_atomically(cache, json.dumps(rows, ensure_ascii=False))
    return rows


def _built(root: Path) -> dict[str, Any]:
    # Slow to import, and needed only when the book has changed.
    from fixbook.index.build import build_rows  # noqa: PLC0415

    return build_rows(root)


def _read(path: Path) -> dict[str, Any] | None:
    try:
        rows: dict[str, Any] = json.loads(path.read_bytes())
    except (OSError, ValueError):
        return None
    return rows


def _cache_file(root: Path) -> Path:
    state = hashlib.sha256(f"{__version__}\0{root}".encode())
    for part in _state_of(root):
        state.update(part.encode())
    return cache_folder() / f"index-{state.hexdigest()[:16]}.json"


def _state_of(root: Path) -> Iterator[str]:
    """Name, size and time of every file that the index is made from."""
    here = Path(__file__).parent
    folders = [root / "symptoms", here, here.parent, here.parent / "log"]
    with contextlib.suppress(OSError):
        for entry in (root / "recipes").iterdir():
            folders += [entry, entry / "logs", entry / "evidence"] if entry.is_dir() else []
    for folder in sorted(folders):
        with contextlib.suppress(OSError), os.scandir(folder) as files:
            for file in sorted(files, key=lambda item: item.name):
                if file.name.endswith(_READ):
                    seen = file.stat()
                    yield f"{folder.name}/{file.name}:{seen.st_size}:{seen.st_mtime_ns}\n"
