"""What is compiled from a book as one file each, so that commands start without any YAML."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fixbook.kept import kept, read_rows

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from fixbook.book import Book

# Names of the files that a package of the book carries, so that nothing has to be built.
INDEX = "index.json"
RULES = "rules.json"
BOUNDS = "bounds.json"
# What of the index only words, and only an entry's answer, ask for: most of what it holds.
LATER = {INDEX: ("fixes", "search")}
# What each holds at least.
_PARTS = {
    INDEX: {"matchers", "titles", "causes"},
    RULES: {"rules"},
    BOUNDS: {"bounds", "executed"},
}


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
        return read_rows(packaged, _PARTS[name]) or build(root)
    later = LATER.get(name, ())
    return kept(root, name.removesuffix(".json"), build, _PARTS[name], later=later)


def _build_index(root: Path) -> dict[str, Any]:
    # Slow to import, and needed only when the book has changed.
    from fixbook.index.build import build_rows  # noqa: PLC0415

    return build_rows(root)


def _build_bounds(root: Path) -> dict[str, Any]:
    from fixbook.book import load_book  # noqa: PLC0415  (slow, as above)
    from fixbook.index.bounds import bound_rows  # noqa: PLC0415

    return bound_rows(load_book(root, strict=False))
