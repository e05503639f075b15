"""What gates read of a book, each file once, whichever gates ask for it."""

from __future__ import annotations

import dataclasses
import functools
from typing import TYPE_CHECKING

from fixbook.index.build import rows_from
from fixbook.log.diagnose import diagnose
from fixbook.log.finder import Finder
from fixbook.recipe.reading import read_outline
from fixbook.recipe.record import load_evidence

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from fixbook.book import Book, BookEntry, BookRule
    from fixbook.log.diagnosis import Diagnosis
    from fixbook.log.signatures import Index
    from fixbook.recipe.reading import Outline
    from fixbook.recipe.record import Evidence


class Reading:
    """A book, with its recipes, records and index as they were when they were first asked for.

    Args:
        book: The book.

    Attributes:
        book: The book.
    """

    def __init__(self, book: Book) -> None:
        self.book = book
        self._outlines: dict[Path, Outline] = {}
        self._evidence: dict[Path, dict[str, Evidence]] = {}
        self._diagnoses: dict[str, Diagnosis] = {}

    @property
    def entries(self) -> Iterable[BookEntry]:
        """The entries of the book."""
        return self.book.entries.values()

    def outline(self, item: BookEntry) -> Outline:
        """Return the outline of an entry's recipe.

        Raises:
            BookError: It cannot be read.
        """
        if item.folder not in self._outlines:
            self._outlines[item.folder] = read_outline(item.recipe)
        return self._outlines[item.folder]

    def evidence(self, item: BookEntry) -> dict[str, Evidence]:
        """Return an entry's evidence by machine name; ``cpu`` first.

        Raises:
            BookError: A file is damaged.
        """
        if item.folder not in self._evidence:
            self._evidence[item.folder] = load_evidence(item)
        return self._evidence[item.folder]

    @functools.cached_property
    def finder(self) -> Finder:
        """The book, ready to be asked."""
        return Finder(rows_from(self.book))

    @property
    def index(self) -> Index:
        """The compiled signatures and symptoms of the book."""
        return self.finder.index

    def diagnosis(self, log: str) -> Diagnosis:
        """Recognise a log by signatures."""
        if log not in self._diagnoses:
            self._diagnoses[log] = diagnose(log, self.index)
        return self._diagnoses[log]

    def of(self, item: BookEntry, rules: dict[str, BookRule]) -> Reading:
        """Return the reading of a book that has one entry alone; what is read is shared.

        Args:
            item: The entry.
            rules: The rules of that book.
        """
        alone = Reading(dataclasses.replace(self.book, entries={item.slug: item}, rules=rules))
        alone._outlines, alone._evidence = self._outlines, self._evidence
        return alone
