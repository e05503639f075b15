"""Evidence exists on a CPU and still belongs to what is in the book."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fixbook.problem import Problem
from fixbook.recipe.digest import staleness
from fixbook.recipe.evidence import load_evidence
from fixbook.recipe.outline import read_outline

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fixbook.book import Book


def current_evidence(book: Book) -> Iterator[Problem]:
    """Check that every entry has CPU evidence and that it is not stale.

    Evidence from GPU machines may be stale: articles then say so.
    """
    for item in book.entries.values():
        path = item.folder / "evidence" / "cpu.json"
        mend = f"run 'fixbook verify --record {item.slug}' on a machine without GPU"
        evidence = load_evidence(item).get("cpu")
        if evidence is None:
            yield Problem(str(path), "is missing: nothing of this entry is proven", mend)
            continue
        for change in staleness(item, read_outline(item.recipe), evidence):
            yield Problem(str(path), f"is stale: {change}", mend)
