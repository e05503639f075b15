"""What is compiled from a book as one file each, so that commands start without any YAML."""

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
    from collections.abc import Callable, Iterable, Iterator

    from fixbook.book import Book

# Names of the files that a package of the book carries, so that nothing has to be built.
INDEX = "index.json"
RULES = "rules.json"
BOUNDS = "bounds.json"
# What each holds at least.
_PARTS = {
    INDEX: {"matchers", "titles", "causes"},
    RULES: {"rules"},
    BOUNDS: {"bounds", "executed"},
}
_READ = (".yaml", ".txt", ".log", ".json", ".py")


def index_rows(root: Path) -> dict[str, Any]:
    """Return the index of the book at a root, from a cache that follows its files.

    Args:
        root: The book, as `fixbook.book.loading.book_root` finds it.
    """
    return _cached(root, INDEX, _build_index)


def rule_rows(root: Path) -> dict[str, Any]:
    """Return the rules on configurations of the book at a root, from such a cache.

    Args:
        root: The book, as `fixbook.book.loading.book_root` finds it.
    """
    return _cached(root, RULES, build_rules)


def boundaries(root: Path) -> dict[str, Any]:
    """Return the boundaries of the book at a root, from such a cache.

    Args:
        root: The book, as `fixbook.book.loading.book_root` finds it.
    """
    return _cached(root, BOUNDS, _build_bounds)


def build_rules(root: Path) -> dict[str, Any]:
    """Read the whole book and return its rules; one that is wrong is left out."""
    from fixbook.book import load_book  # noqa: PLC0415  (slow, see below)

    return rules_of(load_book(root, strict=False))


def rules_of(book: Book) -> dict[str, Any]:
    """Return the rules of a book that is loaded, as plain data."""
    return {"rules": [item.row() for item in book.rules.values()]}


def _cached(root: Path, name: str, build: Callable[[Path], dict[str, Any]]) -> dict[str, Any]:
    packaged = root / name
    if packaged.is_file():
        return _read(packaged, name) or build(root)
    file = _cache_file(root, name)
    # Where the user's folder cannot be written, that of the checkout keeps it.
    places = [folder / file for folder in (cache_folder(), root / ".cache")]
    for place in places:
        if rows := _read(place, name):
            return rows
    rows = build(root)
    _keep(json.dumps(rows, ensure_ascii=False), places)
    return rows


def _keep(text: str, places: Iterable[Path]) -> None:
    """Write what was built into the first place that takes it; that none does is no error."""
    for place in places:
        with contextlib.suppress(OSError):
            place.parent.mkdir(parents=True, exist_ok=True)
            write_atomically(place, text)
            return


def _build_index(root: Path) -> dict[str, Any]:
    # Slow to import, and needed only when the book has changed.
    from fixbook.index.build import build_rows  # noqa: PLC0415

    return build_rows(root)


def _build_bounds(root: Path) -> dict[str, Any]:
    from fixbook.book import load_book  # noqa: PLC0415  (slow, as above)
    from fixbook.index.bounds import bound_rows  # noqa: PLC0415

    return bound_rows(load_book(root, strict=False))


def _read(path: Path, name: str) -> dict[str, Any] | None:
    """Return what is kept; None if there is none, or something else lies in its place."""
    try:
        rows = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError):
        return None
    return rows if isinstance(rows, dict) and _PARTS[name] <= rows.keys() else None


def _cache_file(root: Path, name: str) -> str:
    state = hashlib.sha256(f"{__version__}\0{root}".encode())
    for part in _state_of(root):
        state.update(part.encode())
    return f"{name.removesuffix('.json')}-{state.hexdigest()[:16]}.json"


def _state_of(root: Path) -> Iterator[str]:
    """Name, size and time of every file that the index is made from."""
    here = Path(__file__).parent
    folders = [root / "symptoms", here, here.parent, here.parent / "log"]
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
