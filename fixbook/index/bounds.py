"""Where failures begin and end among releases, as rows: what an audit holds versions against."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from packaging.utils import canonicalize_name

from fixbook.book import Targets
from fixbook.log.told import told
from fixbook.recipe.reading import read_outline
from fixbook.recipe.record import load_evidence, ran_on, seen_on
from fixbook.text import LANGS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fixbook.book import Book, BookEntry, Boundary


def bound_rows(book: Book) -> dict[str, Any]:
    """Return all boundaries of a book, and the releases that steps have run on.

    Args:
        book: The book, loaded.

    Returns:
        ``bounds``: one row a boundary, with the title of its entry and the releases that failed
        before its end; ``executed``: releases by package.
    """
    executed: dict[str, set[str]] = {}
    for item in book.entries.values():
        for package, releases in ran_on(read_outline(item.recipe), load_evidence(item)).items():
            executed.setdefault(canonicalize_name(package), set()).update(releases)
    return {
        "bounds": [
            row
            for item in book.entries.values()
            if item.entry.status == "active"
            for row in _rows(item, Targets(book, item.slug))
        ],
        "executed": {name: sorted(releases) for name, releases in sorted(executed.items())},
    }


def _rows(item: BookEntry, targets: Targets) -> Iterator[dict[str, Any]]:
    if not item.entry.boundary:
        return
    found = seen_on(item.entry, read_outline(item.recipe), load_evidence(item))
    oldest = {canonicalize_name(one.package): one for one in found}
    for row in item.entry.boundary:
        seen = oldest.get(canonicalize_name(row.package))
        failing = seen.failing_below(row.first_fixed) if seen and row.first_fixed else []
        yield {**_row(item, row, targets), "failed_on": failing}


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
