"""Build the index of a book: patterns, what an answer says of them, and search documents."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fixbook.book import Entry, Targets, load_book
from fixbook.index.advice import advice_row
from fixbook.index.cases import patterns_of_cases
from fixbook.index.documents import search_rows
from fixbook.index.synonyms import elsewhere
from fixbook.log.literals import required_literals
from fixbook.log.signatures import FORMAT, Index, index_from

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from fixbook.book import Book, Symptom


def build_rows(root: Path) -> dict[str, Any]:
    """Read the whole book and build its index; what is broken is left out.

    Args:
        root: The book, as `fixbook.book.loading.book_root` finds it.
    """
    return rows_from(load_book(root, strict=False))


def rows_from(book: Book) -> dict[str, Any]:
    """Build the index of a book that is loaded, as plain data.

    This is the file that the command caches and from which the browser's is made.
    """
    entries = {slug: item.entry for slug, item in book.entries.items()}
    described: dict[str, Entry | Symptom] = {**entries, **book.symptoms}
    return {
        **pattern_rows(book),
        "titles": {name: _card(one) for name, one in described.items()},
        "asks": {
            f"{share.id}/{slug}": share.ask.model_dump()
            for slug, entry in entries.items()
            for share in entry.symptoms
        },
        "labels": {
            f"{slug}/{signature.id}/{name}": label.model_dump()
            for slug, entry in entries.items()
            for signature in entry.signatures
            for name, label in signature.captures.items()
        },
        "fixes": {slug: advice_row(item, book) for slug, item in book.entries.items()},
        "advice": {
            name: Targets(book).both(symptom.text).model_dump()
            for name, symptom in book.symptoms.items()
        },
        "search": search_rows(book),
        "elsewhere": elsewhere(),
    }


def _card(described: Entry | Symptom) -> dict[str, Any]:
    card: dict[str, Any] = {
        "title": described.title.model_dump(),
        "summary": described.summary.model_dump(),
    }
    if isinstance(described, Entry):
        card |= {"projects": described.projects, "categories": described.categories}
    return card


def index_of(book: Book) -> Index:
    """Compile the signatures and symptoms of a book."""
    return index_from(pattern_rows(book))


def pattern_rows(book: Book) -> dict[str, Any]:
    """Return the signatures and symptoms of a book as plain data."""
    rows = [
        _row(item.slug, signature.id, signature.pattern)
        | {"context": list(signature.context), "unless": list(signature.unless)}
        | {"same": list(signature.same), "differ": list(signature.differ)}
        for item in book.entries.values()
        for signature in item.entry.signatures
    ]
    rows += [
        _row(name, name, pattern)
        | {"specific": False, "secondary": symptom.secondary, "echo": symptom.echo}
        for name, symptom in book.symptoms.items()
        for pattern in symptom.patterns
    ]
    causes = {name: list(_causes(book, name)) for name in book.symptoms}
    patterns = {p for row in rows for p in (*row["context"], *row["unless"])}
    for item in book.entries.values():
        patterns.update(patterns_of_cases(item.entry.cases()))
    surroundings = {pattern: list(required_literals(pattern)) for pattern in sorted(patterns)}
    return {"format": FORMAT, "matchers": rows, "causes": causes, "surroundings": surroundings}


def _row(owner: str, name: str, pattern: str) -> dict[str, Any]:
    return {
        "owner": owner,
        "name": name,
        "specific": True,
        "secondary": False,
        "echo": False,
        "pattern": pattern,
        "context": [],
        "unless": [],
        "same": [],
        "differ": [],
        "literals": list(required_literals(pattern)),
    }


def _causes(book: Book, symptom: str) -> Iterable[str]:
    for slug, item in book.entries.items():
        if any(shared.id == symptom for shared in item.entry.symptoms):
            yield slug
