"""What pages are rendered from: each entry with its recipe, its evidence, and what is stale."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

from fixbook.book import Book, BookEntry, Targets, load_book
from fixbook.index.build import index_of, rows_from
from fixbook.problem import BookError, Problem
from fixbook.recipe.reading import read_outline
from fixbook.recipe.record import fill_entry, load_evidence, load_readers, stale_steps
from fixbook.text import _
from generator.text.guard import guarded
from generator.text.links import ROOT
from generator.text.marks import stood_in
from generator.view.logs import LogReader
from generator.view.rules import rule_view

if TYPE_CHECKING:
    from pathlib import Path

    from fixbook.book import Entry, Symptom, TestedArticle
    from fixbook.recipe.reading import Outline
    from fixbook.recipe.record import Evidence
    from generator.view.rules import RuleView


@dataclass(frozen=True)
class Dossier:
    """Everything that is known of one entry.

    Attributes:
        item: The entry with its place in the book.
        entry: Its content, with the measures filled into the texts; like all that follows, guarded
            as `generator.text.guard` says.
        outline: Its recipe, read and not run.
        evidence: Recorded runs by machine, ``cpu`` first.
        stale: By machine, why which of its steps no longer count.
        readers: Runs of readers, which count for nothing else.
    """

    item: BookEntry
    entry: Entry
    outline: Outline
    evidence: dict[str, Evidence]
    stale: dict[str, dict[str, str]]
    readers: tuple[Evidence, ...] = ()

    @property
    def slug(self) -> str:
        """Name of the entry, and its address on the site."""
        return self.item.slug

    def read(self, name: str) -> str:
        """Return a text file of the entry's folder, such as a log or a configuration.

        Raises:
            BookError: There is no such file.
        """
        path = self.item.folder / name
        try:
            return path.read_text(encoding="utf-8", errors="replace")
        except OSError:
            mend = _("add the file, or take its name out of entry.yaml")
            what = _("is named in entry.yaml and missing")
            raise BookError([Problem(str(path), what, mend)]) from None


@dataclass(frozen=True)
class Library:
    """The whole book, ready to be rendered.

    Attributes:
        book: The book as it was loaded.
        dossiers: One per entry, by slug.
    """

    book: Book
    dossiers: dict[str, Dossier]

    @cached_property
    def logs(self) -> LogReader:
        """Finds the line that decides in a log; shared by all pages of both languages."""
        return LogReader(index_of(self.book))

    @cached_property
    def symptoms(self) -> dict[str, Symptom]:
        """The shared messages by id, guarded as pages show them."""
        targets = Targets(self.book, marks=stood_in)
        linked = {
            name: one.model_copy(update={"text": targets.both(one.text, ROOT)})
            for name, one in self.book.symptoms.items()
        }
        return guarded(linked)

    @cached_property
    def sources(self) -> dict[str, TestedArticle]:
        """The articles put to the test by id, guarded as pages show them."""
        return guarded(self.book.sources)

    @cached_property
    def rows(self) -> dict[str, Any]:
        """The index of the book; shared by the search of both languages."""
        return rows_from(self.book)

    @cached_property
    def rules(self) -> list[RuleView]:
        """What the pages of rules show; shared by both languages."""
        return [rule_view(item) for item in self.book.rules.values()]

    def causes(self, symptom: str) -> list[Dossier]:
        """Return the entries that name a shared symptom."""
        return [dossier for dossier in self.dossiers.values() if dossier.entry.shares(symptom)]


def dossier_of(item: BookEntry, book: Book, *, draft: bool = False) -> Dossier:
    """Collect what is known of an entry.

    Args:
        item: The entry.
        book: The book, whose other pages it may name.
        draft: Tolerate measures that are not recorded yet.

    Raises:
        BookError: Its recipe or evidence is damaged, or a measure in its texts is not recorded.
    """
    outline, evidence = read_outline(item.recipe), load_evidence(item)
    stale = {
        name: {
            step: why
            for step, why in stale_steps(item, outline, one).items()
            if step in one.steps and one.steps[step].verdict == "passed"
        }
        for name, one in evidence.items()
    }
    link = partial(Targets(book, item.slug, stood_in).linked, root=ROOT)
    entry = fill_entry(item.slug, item.entry, evidence, link=link, draft=draft)
    shown = replace(outline, steps=guarded(outline.steps))
    readers = tuple(load_readers(item))
    return Dossier(item, guarded(entry), shown, guarded(evidence), guarded(stale), guarded(readers))


def load_library(root: Path | None = None, *, draft: bool = False) -> Library:
    """Load the book and everything its pages need.

    Args:
        root: Where the book lies; by default the library decides.
        draft: Tolerate measures that are not recorded yet.

    Raises:
        BookError: With the problems of all entries.
    """
    book = load_book(root)
    dossiers: dict[str, Dossier] = {}
    problems: list[Problem] = []
    for slug, item in book.entries.items():
        try:
            dossiers[slug] = dossier_of(item, book, draft=draft)
        except BookError as error:
            problems += error.problems
    if problems:
        raise BookError(problems)
    return Library(book, dossiers)
