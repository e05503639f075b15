"""Where failures begin and end among releases, as rows: what an audit holds versions against."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from packaging.utils import canonicalize_name

from fixbook.book import Targets
from fixbook.log.told import told
from fixbook.recipe.reading import read_outline
from fixbook.recipe.record import load_evidence, ran_on
from fixbook.text import LANGS

if TYPE_CHECKING:
    from fixbook.book import Book, BookEntry, Boundary


def bound_rows(book: Book) -> dict[str, Any]:
    """Return all boundaries of a book, and the releases that steps have run on.

    Args:
        book: The book, loaded.

    Returns:
        ``bounds``: one row a boundary, with the title of its entry; ``executed``: releases by
        package, the newest first.
    """
    executed: dict[str, set[str]] = {}
    for item in book.entries.values():
        for package, releases in ran_on(read_outline(item.recipe), load_evidence(item)).items():
            executed.setdefault(canonicalize_name(package), set()).update(releases)
    return {
        "bounds": [
            _row(item, row, Targets(book, item.slug))
            for item in book.entries.values()
            if item.entry.status == "active"
            for row in item.entry.boundary
        ],
        "executed": {name: sorted(releases) for name, releases in sorted(executed.items())},
    }


def _row(item: BookEntry, row: Boundary, targets: Targets) -> dict[str, Any]:
    urls = {one.id: one.url for one in item.entry.references}
    return {
        "entry": item.slug,
        "title": item.entry.title.model_dump(),
        "summary": item.entry.summary.model_dump(),
        "package": canonicalize_name(row.package),
        "last_good": row.last_good,
        "first_bad": row.first_bad,
        "first_fixed": row.first_fixed,
        "sure": row.sure,
        "began": row.began,
        "url": urls.get(row.reference or ""),
        "note": row.note
        and {lang: told(targets.linked(row.note.of(lang), lang), lang) for lang in LANGS},
    }
