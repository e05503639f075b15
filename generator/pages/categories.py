"""A page for each kind of failure: the entries that are of it, whatever else they are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from generator.pages.home import by_category
from generator.pages.page import Page
from generator.text.templating import render
from generator.view.coverage import STAGES

if TYPE_CHECKING:
    from generator.view.edition import Edition
    from generator.view.library import Dossier, Library


def path_of(category: str) -> str:
    """Return where the page of a category stands."""
    return f"kinds/{category}/index.md"


def categories(library: Library) -> dict[str, list[Dossier]]:
    """Return the entries of each category that has any, in the order of the stages of a job.

    An entry stands in each of its categories; one that is retired, in that of the retired.
    """
    found: dict[str, list[Dossier]] = {}
    for dossier in library.dossiers.values():
        retired = dossier.entry.status == "retired"
        for name in ["retired"] if retired else dossier.entry.categories:
            found.setdefault(name, []).append(dossier)
    known = [name for names in STAGES.values() for name in names]
    order = [*known, *sorted(found.keys() - {*known, "retired"}), "retired"]
    return {name: found[name] for name in order if name in found}


def first_of(library: Library) -> dict[str, list[Dossier]]:
    """Return the entries of each category that names them first, in the same order."""
    groups = by_category(library)
    return {name: groups.get(name, []) for name in categories(library)}


def category_page(name: str, edition: Edition) -> Page:
    """Render the list of the entries of a category.

    Args:
        name: The category.
        edition: The book in one language.
    """
    words = edition.words
    title = words(f"category_{name.replace('-', '_')}")
    text = render(
        "category.md.j2",
        t=words,
        lang=edition.lang,
        title=title,
        dossiers=categories(edition.library)[name],
    )
    return Page(path_of(name), title, text)
