"""Which steps another release concerns: those that import the package on the pinned releases."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

from fixbook.recipe.reading import entry_uses, needed_distributions, read_outline

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from fixbook.book import Book, BookEntry
    from fixbook.recipe.author import Step


def concerned(
    book: Book, releases: Sequence[str], *, every: bool = False
) -> Iterator[tuple[BookEntry, list[Step]]]:
    """Yield each active entry with its steps that a set of releases concerns.

    A step with releases of its own says something about those, and stays out; but for a package
    that the pins leave out, such as TRL, which its steps bring at the newest release they know.

    Args:
        book: The book.
        releases: Such as ``transformers==4.57.6``; the first is the one in question, the others
            are what it needs.
        every: All such steps; by default the first failure, the first measurement that finds it
            and the first fix, with their controls.
    """
    package = canonicalize_name(releases[0].partition("==")[0])
    importing = {item.slug: _importing(item, package) for item in _active(book)}
    usual = _usual((step for steps in importing.values() for step in steps), package)
    for item in _active(book):
        mine = [step for step in importing[item.slug] if step.needs.versions == usual]
        chosen = mine if every else _telling(mine)
        if chosen:
            yield item, [_on(step, releases) for step in chosen]


def _active(book: Book) -> list[BookEntry]:
    return [item for item in book.entries.values() if item.entry.status != "retired"]


def _importing(item: BookEntry, package: str) -> list[Step]:
    """Return the steps of an entry that import or bring a package, if they ask for no GPU."""
    outline = read_outline(item.recipe)
    uses = entry_uses(item, outline)
    return [
        step
        for step in outline.steps.values()
        if not step.needs.on.startswith("cuda")
        and package in _names(step, needed_distributions(outline, uses[step.name]))
    ]


def _names(step: Step, imported: Iterable[str]) -> set[str]:
    brought = (Requirement(one).name for one in step.needs.versions)
    return {canonicalize_name(name) for name in (*imported, *brought)}


def _usual(steps: Iterable[Step], package: str) -> tuple[str, ...]:
    """Return what steps have of a package unless they are about its releases.

    That is nothing where it is pinned; else the newest release which a step names alone.
    """
    named = {step.needs.versions for step in steps}
    if () in named:
        return ()
    alone = [wanted for (wanted, *others) in named if not others]
    mine = [one for one in alone if canonicalize_name(Requirement(one).name) == package]
    newest = max(mine, key=lambda one: Version(one.partition("==")[2]), default=None)
    return (newest,) if newest else ()


def _telling(steps: Sequence[Step]) -> list[Step]:
    by_name = {step.name: step for step in steps}
    chosen: dict[str, Step] = {}
    for kind, found in (("reproduce", None), ("detect", True), ("fix", None)):
        first = next((s for s in steps if s.kind == kind and s.found in {found, None}), None)
        if first:
            control = by_name.get(first.control)
            chosen |= {control.name: control} if control else {}
            chosen[first.name] = first
    return list(chosen.values())


def _on(step: Step, releases: Sequence[str]) -> Step:
    needs = replace(step.needs, versions=tuple(releases), with_dependencies=True)
    return replace(step, needs=needs)
