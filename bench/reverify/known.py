"""What is known of differences between releases: boundaries of pages, and explanations."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from bench.reverify.page import outside, releases_of

if TYPE_CHECKING:
    from bench.reverify.page import Row, Rows
    from fixbook.book import Book

EXPLAINED = Path(__file__).with_name("explained.yaml")


@dataclass(frozen=True, slots=True)
class Explained:
    """Why steps show something else on some releases, without a page being wrong.

    Attributes:
        steps: As ``slug/step``.
        releases: On which, such as ``transformers<5``.
        why: What differs, and what of the page holds all the same.
    """

    steps: tuple[str, ...]
    releases: Requirement
    why: str


def explanations(path: Path = EXPLAINED) -> list[Explained]:
    """Read the explanations."""
    rows = yaml.safe_load(path.read_text("utf-8"))
    return [
        Explained(tuple(row["steps"]), Requirement(row["releases"]), " ".join(row["why"].split()))
        for row in rows
    ]


def told(row: Row, step: str, name: str, book: Book, known: list[Explained]) -> Row:
    """Return a row with what the book says today of the releases it ran on.

    Args:
        row: What the step showed.
        step: As ``slug/step``.
        name: The set of releases.
        book: The book.
        known: The explanations.
    """
    releases = releases_of(name)
    item = book.entries.get(step.partition("/")[0])
    why = next(
        (
            one.why
            for one in known
            if step in one.steps
            and (at := releases.get(canonicalize_name(one.releases.name)))
            and one.releases.specifier.contains(at, prereleases=True)
        ),
        "",
    )
    bounded = item is not None and outside(item.entry.boundary, releases)
    return replace(row, bounded=bounded, why=why)


def told_all(rows: Rows, book: Book) -> Rows:
    """Return all rows with what the book says today; see `told`."""
    known = explanations()
    return {
        name: {step: told(row, step, name, book, known) for step, row in steps.items()}
        for name, steps in rows.items()
    }
