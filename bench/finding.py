"""What is asked, what is the right answer, and who answers it: the parts of the comparison."""

from __future__ import annotations

import json
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import yaml

from fixbook.book import load_queries
from fixbook.index.build import rows_from
from fixbook.log.finder import Finder
from fixbook.recipe.record import declared_logs, load_evidence

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from fixbook.book import Book

ROOT = Path(__file__).parent.parent
FAMILIES = Path(__file__).parent / "families.yaml"


@dataclass(frozen=True, slots=True)
class Ask:
    """A text somebody pastes or types, and what it should lead to.

    Attributes:
        name: Where it comes from.
        group: What it is counted with.
        text: The text.
        right: Names of entries and shared messages that are right; empty if nothing is.
        entries: Entries that may be named; naming any other is wrong.
    """

    name: str
    group: str
    text: str
    right: frozenset[str]
    entries: frozenset[str] = frozenset()


class Engine(Protocol):
    """Something that ranks pages for a text."""

    def all_ranked(self, texts: Sequence[str]) -> list[list[str]]:
        """Return names of entries and messages for each text, best first."""


class Diagnoser(Finder):
    """What the command and the page do, for many texts.

    Args:
        book: The book.
    """

    def __init__(self, book: Book) -> None:
        super().__init__(rows_from(book))

    def all_ranked(self, texts: Sequence[str]) -> list[list[str]]:
        """See `Engine`."""
        return [self.ranked(text) for text in texts]


def own_logs(book: Book) -> Iterator[Ask]:
    """Every log variant that an entry declares.

    Entries that declare that they overlap with it may be named: their line stands there, too.
    """
    beside = defaultdict[str, set[str]](set)
    for item in book.entries.values():
        for signature in item.entry.signatures:
            for other in signature.overlaps:
                beside[other].add(item.slug)
    for item in book.entries.values():
        named = frozenset({item.slug} | beside[item.slug])
        for log, text in declared_logs(item, load_evidence(item)):
            right = {item.slug} | ({log.symptom} if log.symptom else set())
            name = f"{item.slug}/{log.file or log.source}"
            yield Ask(name, "log", text, _shared(book, item.slug, right), named)


def queries(book: Book) -> Iterator[Ask]:
    """Every query that was written for an entry.

    A query takes a shared message for right only where it says so with ``as``.
    """
    for slug, item in book.entries.items():
        for number, query in enumerate(load_queries(item), 1):
            right = _shared(book, slug, {slug} | ({query.symptom} if query.symptom else set()))
            yield Ask(f"{slug}#{number}", query.kind, query.text, right, frozenset({slug}))


def corpus(book: Book, path: Path) -> Iterator[Ask]:
    """Rows of a corpus: ``id``, ``family``, ``also`` (families that are right too), ``text``.

    Args:
        book: The book.
        path: A file of JSON lines. It is no part of the book.
    """
    table = yaml.safe_load(FAMILIES.read_text("utf-8"))
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            yield _row(book, table, json.loads(line))


def _row(book: Book, table: dict[str, Any], row: dict[str, Any]) -> Ask:
    families = [row["family"], *(row.get("also") or [])]
    entries, right = set[str](), set[str]()
    for family in families:
        mapped = table["entries"].get(family, {"entry": "", "messages": []})
        for entry in {mapped["entry"], *mapped.get("also", [])} & book.entries.keys():
            entries.add(entry)
            right |= _shared(book, entry, {entry, *mapped["messages"]})
        right |= set(table["messages"].get(family, ()))
    group = "corpus: entry" if entries else "corpus: message" if right else "corpus: neither"
    if any("illegal-memory-access" in family for family in families):  # causes told apart by text
        entries |= {
            slug
            for slug in book.entries
            if book.entries[slug].entry.shares("illegal-memory-access")
        }
        right |= entries
    return Ask(row["id"], group, row["text"], frozenset(right), frozenset(entries))


def _shared(book: Book, slug: str, names: set[str]) -> frozenset[str]:
    """Drop messages that do not lead to the entry."""
    entry = book.entries[slug].entry
    return frozenset(name for name in names if name == slug or entry.shares(name))


def accuracy(asks: Sequence[Ask], answers: Sequence[list[str]], top: int) -> float:
    """Return the share of asks whose right answer is among the first ones."""
    hits = sum(
        bool(ask.right.intersection(answer[:top]))
        for ask, answer in zip(asks, answers, strict=True)
    )
    return hits / len(asks) if asks else 1.0


def wrong_entries(asks: Sequence[Ask], diagnoser: Diagnoser) -> list[tuple[str, str]]:
    """Return (ask, entry) for each diagnosis that names an entry which is not right."""
    found = []
    for ask in asks:
        best = diagnoser.diagnosis(ask.text).best
        if best is not None and best.specific and best.owner not in ask.entries:
            found.append((ask.name, best.owner))
    return found


def uncovered(asks: Sequence[Ask], diagnoser: Diagnoser) -> dict[str, Any]:
    """Count what is answered on texts that the book has nothing for.

    Args:
        asks: The texts.
        diagnoser: Who answers.

    Returns:
        How many were ``asked``; how many have an exception as the ``headline``, a line that only
        reads like a failure (``likely``), or are ``explained`` by a message; and by name where
        an exception was read that is not the headline (``missed``), or nothing is (``nothing``).
    """
    counts = {"asked": len(asks), "headline": 0, "likely": 0, "explained": 0}
    missed, nothing = [], []
    for ask in asks:
        diagnosis = diagnoser.diagnosis(ask.text)
        card = diagnosis.exception
        if diagnosis.best:
            counts["explained"] += 1
        elif card is None:
            nothing.append(ask.name)
        else:
            counts["headline" if card.certain else "likely"] += 1
        if diagnosis.unknown and not diagnosis.best and not (card and card.certain):
            missed.append(ask.name)
    return {**counts, "missed": missed, "nothing": nothing}
