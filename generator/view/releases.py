"""Releases of packages: what begins and ends on which, and what was seen on which."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from packaging.utils import canonicalize_name
from packaging.version import Version

from fixbook.recipe.record import seen_on
from generator.view.coverage import QUIET
from generator.view.names import gone

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fixbook.book import Boundary, Reference
    from fixbook.recipe.record import SeenOn
    from generator.view.article import ArticleView
    from generator.view.edition import Edition

_LEAST = 2  # changes of a series, for a page of its own


@dataclass(frozen=True, slots=True)
class Change:
    """What begins or ends with a release.

    Attributes:
        view: The entry.
        row: Its boundary.
        begins: Whether the failure begins there; else it ends.
    """

    view: ArticleView
    row: Boundary
    begins: bool

    @property
    def release(self) -> str:
        """The release, as the boundary has it."""
        return str(self.row.first_bad if self.begins else self.row.first_fixed)

    @property
    def silent(self) -> bool:
        """Whether nothing crashes: the run goes on with a wrong result."""
        return self.row.silent or self.view.entry.categories[0] == QUIET

    @property
    def sure(self) -> str:
        """How sure it is, as `fixbook.book.Boundary` says."""
        row = self.row
        return row.began if self.begins and row.began else row.sure

    @property
    def reference(self) -> Reference | None:
        """Where it was read or is stated, unless it was executed."""
        return self.view.references.get(self.row.reference or "")


@dataclass(frozen=True, slots=True)
class Gone:
    """A name that a release no longer takes.

    Attributes:
        view: The entry that has the table.
        name: The name.
        now: What it is today; empty if nothing took its place.
        release: The first executed release that refuses it.
    """

    view: ArticleView
    name: str
    now: str
    release: str


@dataclass(frozen=True, slots=True)
class Series:
    """The releases of a package that share their first number.

    Attributes:
        package: The package.
        number: That number.
        begins: What begins there: silent failures first, then by release.
        ends: What ends there.
        gone: Names that its releases no longer take.
    """

    package: str
    number: int
    begins: list[Change]
    ends: list[Change]
    gone: list[Gone]

    @property
    def slug(self) -> str:
        """Name of its page, if it has one."""
        return f"{self.package}-{self.number}"

    @property
    def has_page(self) -> bool:
        """Whether it has a page of its own: much begins there, or its first release breaks code.

        A single failure that begins with a later release is no reason to look before an upgrade to
        the series; with names that are gone, or a failure that ends, the first release has both.
        """
        first = any(set(Version(one.release).release[1:]) <= {0} for one in self.begins)
        count = len(self.begins)
        if first:
            count += len(self.gone) + len(self.ends)
        return self.number > 0 and count >= _LEAST


@dataclass(slots=True)
class Package:
    """A package, and what the book knows of its releases.

    Attributes:
        name: Its canonical name.
        changes: What begins and ends.
        gone: Names that its releases no longer take.
        seen: On which releases each entry was executed.
    """

    name: str
    changes: list[Change] = field(default_factory=list)
    gone: list[Gone] = field(default_factory=list)
    seen: list[tuple[ArticleView, SeenOn]] = field(default_factory=list)

    def series(self) -> list[Series]:
        """Return its series in which anything changes, the newest first."""
        releases = [one.release for one in self.changes] + [one.release for one in self.gone]
        numbers = {Version(one).major for one in releases}
        return [self._series(number) for number in sorted(numbers, reverse=True)]

    def _series(self, number: int) -> Series:
        changes = [one for one in self.changes if Version(one.release).major == number]
        begins = [one for one in changes if one.begins]
        ends = [one for one in changes if not one.begins]
        return Series(
            self.name,
            number,
            sorted(begins, key=lambda one: (not one.silent, Version(one.release))),
            sorted(ends, key=lambda one: Version(one.release)),
            [one for one in self.gone if Version(one.release).major == number],
        )


def packages(edition: Edition) -> dict[str, Package]:
    """Return the packages that entries name a boundary of, or were executed on, by name.

    Args:
        edition: The book in one language.
    """
    found: dict[str, Package] = {}

    def of(name: str) -> Package:
        name = canonicalize_name(name)
        return found.setdefault(name, Package(name))

    for view in edition.views.values():
        if view.entry.status == "retired":
            continue
        for change in _changes(view):
            of(change.row.package).changes.append(change)
        if view.entry.names:
            of(view.entry.names.package).gone.extend(_gone(view))
        dossier = view.dossier
        for seen in seen_on(dossier.entry, dossier.outline, dossier.evidence):
            of(seen.package).seen.append((view, seen))
    return dict(sorted(found.items()))


def _changes(view: ArticleView) -> Iterator[Change]:
    for row in view.entry.boundary:
        if row.first_bad:
            yield Change(view, row, begins=True)
        if row.first_fixed:
            yield Change(view, row, begins=False)


def _gone(view: ArticleView) -> Iterator[Gone]:
    names = view.entry.names
    if names:
        for name, now, release in gone(names, view.steps):
            yield Gone(view, name, now, release)
