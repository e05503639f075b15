"""The book: every entry, symptom and source, loaded and looked up."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeVar

from fixbook.book.containment import named, stay_within
from fixbook.book.entry import Entry
from fixbook.book.fields import SLUG
from fixbook.book.rules import RULES, BookRule, by_id, load_rule, rules_of
from fixbook.book.symptom import Sources, Symptom, TestedArticle
from fixbook.book.validation import build_model
from fixbook.book.yaml_source import YamlSource, read_yaml
from fixbook.book_root import book_root
from fixbook.problem import BookError, Problem
from fixbook.text import _
from fixbook.unknown import no_book, unknown_entry

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

Loaded = TypeVar("Loaded")


@dataclass(frozen=True, slots=True)
class BookEntry:
    """An entry with its place in the book.

    Attributes:
        slug: Name of its folder, and its address on the site.
        folder: The folder.
        entry: The typed content.
        source: The YAML it was read from, for line numbers.
        results: Where new evidence goes instead of the entry's folder, which may be read-only.
    """

    slug: str
    folder: Path
    entry: Entry
    source: YamlSource
    results: Path | None = None

    @property
    def recipe(self) -> Path:
        """The entry's recipe file."""
        return self.folder / "recipe.py"

    @property
    def evidence(self) -> tuple[Path, ...]:
        """The folders of its evidence; what stands in the last one counts."""
        ours = self.folder / "evidence"
        return (ours, self.results) if self.results else (ours,)


@dataclass(frozen=True, slots=True)
class Book:
    """All entries together.

    Attributes:
        root: Folder that holds ``recipes/``, ``symptoms/`` and ``sources.yaml``.
        entries: Entries by slug, sorted.
        symptoms: Shared symptoms by id, sorted.
        sources: Articles put to the test, by id.
        rules: Rules on configurations by id, sorted; those of entries are among them.
        problems: What is wrong with the files that could not be loaded.
    """

    root: Path
    entries: dict[str, BookEntry]
    symptoms: dict[str, Symptom] = field(default_factory=dict)
    sources: dict[str, TestedArticle] = field(default_factory=dict)
    rules: dict[str, BookRule] = field(default_factory=dict)
    problems: tuple[Problem, ...] = ()

    def get(self, slug: str) -> BookEntry:
        """Look an entry up.

        Raises:
            BookError: There is no such entry, or it is broken; the nearest slugs are named.
        """
        if slug in self.entries:
            return self.entries[slug]
        folder = self.root / "recipes" / slug
        if SLUG.fullmatch(slug) and folder.is_dir():
            return load_entry(folder)
        raise unknown_entry(slug, self.entries)


def load_entry(folder: Path) -> BookEntry:
    """Load one entry folder.

    Raises:
        BookError: Its entry.yaml is missing or wrong, or a file of it lies elsewhere.
    """
    path = folder / "entry.yaml"
    if not path.is_file():
        mend = _("run 'fixbook new {slug}' for a scaffold, or remove the folder")
        problem = Problem(str(path), _("is missing"), mend.format(slug=folder.name))
        raise BookError([problem])
    named(folder.name, path)
    stay_within(folder)
    source = read_yaml(path)
    return BookEntry(folder.name, folder, build_model(Entry, source), source)


def load_book(root: Path | None = None, *, strict: bool = True) -> Book:
    """Load the whole book.

    Args:
        root: Where it lies; by default `book_root` decides.
        strict: Raise if any file is wrong; otherwise leave it out and keep its problems.

    Raises:
        BookError: With the problems of all its files.
    """
    root = root or book_root()
    if not (root / "recipes").is_dir():
        raise no_book(root)
    problems: list[Problem] = []

    def each(paths: list[Path], load: Callable[[Path], Loaded]) -> dict[str, Loaded]:
        loaded = {}
        for path in sorted(paths):
            try:
                loaded[path.stem] = load(path)
            except BookError as error:
                problems.extend(error.problems)
        return loaded

    folders = [path for path in (root / "recipes").iterdir() if _is_entry(path)]
    entries = each(folders, load_entry)
    symptoms = each(list((root / "symptoms").glob("*.yaml")), load_symptom)
    sources = each(list(root.glob("sources.yaml")), _load_sources).get("sources", {})
    rules = _rules(root, entries, each, problems)
    if problems and strict:
        raise BookError(problems)
    return Book(root, entries, symptoms, sources, rules, tuple(problems))


def _rules(
    root: Path,
    entries: dict[str, BookEntry],
    each: Callable[[list[Path], Callable[[Path], BookRule]], dict[str, BookRule]],
    problems: list[Problem],
) -> dict[str, BookRule]:
    owned = [
        rule
        for item in entries.values()
        for rule in rules_of(item.slug, item.entry, item.source, root)
    ]
    for rule in owned:
        try:
            stay_within(rule.folder)
        except BookError as error:
            problems.extend(error.problems)
    folders = [path for path in (root / RULES).glob("*") if _is_entry(path)]
    # An entry's rule stands in the entry; of one that could not be read, nobody knows the rules.
    owners = None if problems else {rule.folder for rule in owned}
    alone = [
        path
        for path in folders
        if (path / "rule.yaml").exists() or (owners is not None and path not in owners)
    ]
    return by_id([*owned, *each(alone, load_rule).values()], problems)


def _is_entry(path: Path) -> bool:
    return path.is_dir() and not path.name.startswith((".", "_"))


def load_symptom(path: Path) -> Symptom:
    """Load the page of one shared message.

    Raises:
        BookError: The file is wrong, or is named unlike an id.
    """
    named(path.stem, path)
    return build_model(Symptom, read_yaml(path))


def _load_sources(path: Path) -> dict[str, TestedArticle]:
    return {source.id: source for source in build_model(Sources, read_yaml(path)).sources}
