"""What the gates have against one entry, in the order in which its author wants to know it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fixbook.gates import GATES
from fixbook.problem import BookError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from fixbook.book import Book, BookRule
    from fixbook.gates.reading import Reading
    from fixbook.problem import Problem

# What is written comes first: the recipe, the texts, what the entry is found by.
WRITTEN = (
    "proof", "listed", "controls", "removals", "source-lines", "marks", "threads", "comments",
    "own-words", "pins", "headers", "links", "unfinished", "titles", "cut-off", "markdown",
    "parity", "negation", "opposites", "placeholders", "terms", "figures", "instructs",
    "mentions", "patterns", "effort", "trailers", "queries", "aliases", "rules", "slugs",
)  # fmt: skip
# Then what is known once the steps have run.
RECORDED = (
    "freshness", "records", "executed", "bounds", "measures", "literals", "releases",
    "successors", "negative-controls", "quotes", "own-logs", "other-logs",
    "cases", "tidy",
)  # fmt: skip
# These hold entries against each other, or against lists of the book.
_TOGETHER = {
    "proof", "negative-controls", "links", "queries", "aliases", "rules", "slugs", "own-logs",
    "other-logs", "cases", "mentions",
}  # fmt: skip


def problems_of(reading: Reading, slug: str, names: Sequence[str]) -> Iterator[tuple[str, Problem]]:
    """Hold some gates against one entry.

    Args:
        reading: Of the book with the entry in it.
        slug: The entry.
        names: Gates, in the order in which they are asked.

    Yields:
        The gate and a problem: of the entry, or one that keeps the gate from being held.
    """
    book = reading.book
    about = reading.about(slug)
    alone = reading.of(book.entries[slug], _rules(book, slug))
    unread: set[Problem] = set()  # what several gates cannot read is one thing to mend
    for name in names:
        try:
            problems = list(GATES[name](about if name in _TOGETHER else alone))
        except BookError as error:  # a recipe or a record that cannot be read, perhaps another's
            yield from ((name, problem) for problem in error.problems if problem not in unread)
            unread.update(error.problems)
            continue
        yield from ((name, problem) for problem in problems if concerns(book, slug, problem))


def concerns(book: Book, slug: str, problem: Problem) -> bool:
    """Tell whether a problem lies in the folder of an entry, or names the entry."""
    names = re.compile(rf"(?<![\w-]){re.escape(slug)}(?![\w-])")
    folders = [book.entries[slug].folder, *(rule.folder for rule in _rules(book, slug).values())]
    inside = any(problem.where.startswith(f"{folder}/") for folder in folders)
    return inside or bool(names.search(problem.what))


def _rules(book: Book, slug: str) -> dict[str, BookRule]:
    return {name: rule for name, rule in book.rules.items() if rule.entry == slug}
