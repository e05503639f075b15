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
    from collections.abc import Callable, Iterator

    from fixbook.book import Book, BookEntry

# Names of the files that a package of the book carries, so that nothing has to be built.
INDEX = "index.json"
RULES = "rules.json"


def index_rows(root: Path) -> dict[str, Any]:
    """Return the index of the book at a root, from a cache that follows its files.

    Args:
        root: The book, as `fixbook.book.book_root` finds it.
    """
    return _cached(root, INDEX, build_rows)


def rule_rows(root: Path) -> dict[str, Any]:
    """Return the rules on configurations of the book at a root, from such a cache.

    Args:
        root: The book, as `fixbook.book.book_root` finds it.
    """
    return _cached(root, RULES, build_rules)


def _cached(root: Path, name: str, build: Callable[[Path], dict[str, Any]]) -> dict[str, Any]:
    packaged = root / name
    if packaged.is_file():
        return _read(packaged) or build(root)
    cache = _cache_file(root, name)
    rows = _read(cache)
    if rows is None:
        rows = build(root)
        with contextlib.suppress(OSError):  # a cache that cannot be written is no error
            cache.parent.mkdir(parents=True, exist_ok=True)
            write_atomically(cache, json.dumps(rows, ensure_ascii=False))
    return rows


def build_rules(root: Path) -> dict[str, Any]:
    """Read the whole book and return its rules; one that is wrong is left out."""
    from fixbook.book import load_book  # noqa: PLC0415  (slow, see below)

    return {"rules": [item.row() for item in load_book(root, strict=False).rules.values()]}


def build_rows(root: Path) -> dict[str, Any]:
    """Read the whole book and build its index."""
    # Slow to import, and needed only when the book has changed.
    from fixbook.book import load_book  # noqa: PLC0415

    return rows_from(load_book(root, strict=False))


def rows_from(book: Book) -> dict[str, Any]:
    """Build the index of a book that is loaded."""
    from fixbook.log.documents import search_rows  # noqa: PLC0415
    from fixbook.log.signatures import rows_of  # noqa: PLC0415

    titles = {
        **{
            slug: _card(item.entry.title, item.entry.summary) for slug, item in book.entries.items()
        },
        **{name: _card(symptom.title, symptom.summary) for name, symptom in book.symptoms.items()},
    }
    asks = {
        share.id + "/" + slug: share.ask.model_dump()
        for slug, item in book.entries.items()
        for share in item.entry.symptoms
    }
    labels = {
        f"{slug}/{signature.id}/{name}": label.model_dump()
        for slug, item in book.entries.items()
        for signature in item.entry.signatures
        for name, label in signature.captures.items()
    }
    fixes = {slug: _filled(item) for slug, item in book.entries.items()}
    return {
        **rows_of(book),
        "titles": titles,
        "asks": asks,
        "labels": labels,
        "fixes": fixes,
        "search": search_rows(book),
    }


def _filled(item: BookEntry) -> dict[str, str]:
    """The first advice of an entry, its measures filled in where there is evidence."""
    from fixbook.measures import fill_entry  # noqa: PLC0415
    from fixbook.placing import fenced, with_snippets  # noqa: PLC0415
    from fixbook.recipe.evidence import load_evidence  # noqa: PLC0415

    entry = fill_entry(item.slug, item.entry, load_evidence(item), draft=True)
    first = entry.fixes[0]
    code = "\n\n" + fenced(entry.snippets[first.snippet]) if first.snippet else ""
    return {
        lang: with_snippets(first.text.of(lang), entry.snippets) + code for lang in ("zh", "en")
    }


def _card(title: Any, summary: Any) -> dict[str, Any]:
    return {"title": title.model_dump(), "summary": summary.model_dump()}


def _read(path: Path) -> dict[str, Any] | None:
    try:
        rows: dict[str, Any] = json.loads(path.read_bytes())
    except (OSError, ValueError):
        return None
    return rows


def _cache_file(root: Path, name: str) -> Path:
    state = hashlib.sha256(f"{__version__}\0{root}".encode())
    for part in _state_of(root):
        state.update(part.encode())
    return cache_folder() / f"{name.removesuffix('.json')}-{state.hexdigest()[:16]}.json"


def _state_of(root: Path) -> Iterator[str]:
    """Name, size and time of every file that the index is made from."""
    here = Path(__file__).parent
    folders = [root / "symptoms", here, here.parent]
    with contextlib.suppress(OSError):
        folders += [rule for rule in (root / "rules").iterdir() if rule.is_dir()]
    with contextlib.suppress(OSError):
        folders += [entry for entry in (root / "recipes").iterdir() if entry.is_dir()]
        folders += [entry / "logs" for entry in (root / "recipes").iterdir()]
    for folder in sorted(folders):
        with contextlib.suppress(OSError), os.scandir(folder) as files:
            for file in sorted(files, key=lambda item: item.name):
                if file.name.endswith((".yaml", ".txt", ".log", ".py")):
                    seen = file.stat()
                    yield f"{folder.name}/{file.name}:{seen.st_size}:{seen.st_mtime_ns}\n"
