"""What gates read of a book, each file once, whichever gates ask for it."""

from __future__ import annotations

import copy
import dataclasses
import functools
from typing import TYPE_CHECKING

from fixbook.index.build import index_of, rows_from
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
        self._about: str | None = None
        self._finder = functools.cache(lambda: Finder(rows_from(book)))

    @property
    def asked(self) -> Iterable[BookEntry]:
        """The entries that are judged: one, if the reading is about one; else all."""
        return [self.book.entries[self._about]] if self._about else self.entries

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
            outline = read_outline(item.recipe)
            _ = outline.dependencies  # a wrong header is told here, as all that is wrong
            self._outlines[item.folder] = outline
        return self._outlines[item.folder]

    def evidence(self, item: BookEntry) -> dict[str, Evidence]:
        """Return an entry's evidence by machine name; ``cpu`` first.

        Raises:
            BookError: A file is damaged.
        """
        if item.folder not in self._evidence:
            self._evidence[item.folder] = load_evidence(item)
        return self._evidence[item.folder]

    @property
    def finder(self) -> Finder:
        """The book, ready to be asked."""
        return self._finder()

    @property
    def index(self) -> Index:
        """The compiled signatures and symptoms of the book."""
        return self.finder.index

    def diagnosis(self, log: str) -> Diagnosis:
        """Recognise a log by signatures."""
        if log not in self._diagnoses:
            self._diagnoses[log] = diagnose(log, self.index)
        return self._diagnoses[log]

    def hits(self, item: BookEntry, log: str) -> Diagnosis:
        """Recognise a log of an entry by all signatures that are judged with it.

        Of a reading about one entry those are its own, where the log is another's.
        """
        if self._about in {None, item.slug}:
            return self.diagnosis(log)
        return diagnose(log, self._own_index)

    @functools.cached_property
    def _own_index(self) -> Index:
        own = {item.slug: item for item in self.asked}
        return index_of(dataclasses.replace(self.book, entries=own))

    def about(self, slug: str) -> Reading:
        """Return this reading of the whole book, for the judgement of one entry; all is shared.

        Args:
            slug: The entry.
        """
        about: Reading = copy.copy(self)
        about._about = slug
        return about

    def anew(self) -> Reading:
        """Return a reading of the same book that reads recipes and records anew."""
        anew = Reading(self.book)
        anew._finder = self._finder
        return anew

    def of(self, item: BookEntry, rules: dict[str, BookRule]) -> Reading:
        """Return the reading of a book that has one entry alone; what is read is shared.

        Args:
            item: The entry.
            rules: The rules of that book.
        """
        alone = Reading(dataclasses.replace(self.book, entries={item.slug: item}, rules=rules))
        alone._outlines, alone._evidence = self._outlines, self._evidence
        return alone
