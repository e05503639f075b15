"""Pages by release: what begins and ends on which release of a package, and what ran on which."""

from __future__ import annotations

from typing import TYPE_CHECKING

from generator.pages.page import Page
from generator.text.templating import render
from generator.view.releases import packages

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from generator.view.edition import Edition
    from generator.view.releases import Package, Series

INDEX = "releases/index.md"


def release_pages(edition: Edition) -> Iterator[Page]:
    """Render the list of packages, a page for each, and one for each series that breaks much.

    Args:
        edition: The book in one language.
    """
    found = packages(edition)
    words = edition.words
    text = render("releases.md.j2", t=words, packages=found.values(), series=_paged(found.values()))
    yield Page(INDEX, words("nav_releases"), text)
    for package in found.values():
        title = words("releases_of", package=package.name)
        text = render("package.md.j2", t=words, lang=edition.lang, title=title, package=package)
        yield Page(f"releases/{package.name}/index.md", title, text)
    for one in _paged(found.values()):
        title = words("series_title", package=one.package, number=one.number)
        text = render("series.md.j2", t=words, lang=edition.lang, title=title, series=one)
        yield Page(f"releases/{one.slug}/index.md", title, text)


def _paged(found: Iterable[Package]) -> list[Series]:
    return [one for package in found for one in package.series() if one.has_page]
