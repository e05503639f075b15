"""Which steps another release concerns: those that import the package on the pinned releases."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from packaging.utils import canonicalize_name

from fixbook.recipe.reading import entry_uses, needed_distributions, read_outline

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from fixbook.book import Book, BookEntry
    from fixbook.recipe.author import Step


def concerned(
    book: Book, releases: Sequence[str], *, every: bool = False
) -> Iterator[tuple[BookEntry, list[Step]]]:
    """Yield each active entry with its steps that a set of releases concerns.

    A step with releases of its own says something about those, and stays out.

    Args:
        book: The book.
        releases: Such as ``transformers==4.57.6``; the first is the one in question, the others
            are what it needs.
        every: All such steps; by default the first failure, the first measurement that finds it
            and the first fix, with their controls.
    """
    package = canonicalize_name(releases[0].partition("==")[0])
    for item in book.entries.values():
        if item.entry.status == "retired":
            continue
        outline = read_outline(item.recipe)
        uses = entry_uses(item, outline)
        mine = [
            step
            for step in outline.steps.values()
            if not step.needs.versions
            and not step.needs.on.startswith("cuda")
            and package
            in {canonicalize_name(name) for name in needed_distributions(outline, uses[step.name])}
        ]
        chosen = mine if every else _telling(mine)
        if chosen:
            yield item, [_on(step, releases) for step in chosen]


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
