"""The home page: search first, then the entries by message and by project."""

from __future__ import annotations

from typing import TYPE_CHECKING

from generator.article_view import proof_badge
from generator.page import Page
from generator.status import count
from generator.templating import render

if TYPE_CHECKING:
    from generator.edition import Edition
    from generator.library import Dossier, Library


def home(edition: Edition) -> Page:
    """Render the home page; every number on it is counted."""
    words, library = edition.words, edition.library
    dossiers = list(library.dossiers.values())
    counts = [count(dossier) for dossier in dossiers]
    text = render(
        "home.md.j2",
        t=words,
        lang=edition.lang,
        categories=by_category(library),
        projects=_by_project(dossiers),
        symptoms=[(n, s, library.causes(n)) for n, s in library.book.symptoms.items()],
        proofs={d.slug: proof_badge(d, words) for d in dossiers},
        entries=len(dossiers),
        executed=sum(one.passed for one in counts),
        steps=sum(one.total for one in counts),
        last=max((e.recorded[:10] for d in dossiers for e in d.evidence.values()), default=""),
        claims=sum(len(d.entry.said) for d in dossiers),
    )
    return Page("index.md", words("nav_home"), text)


def by_category(library: Library) -> dict[str, list[Dossier]]:
    """Group the active entries by category, in the order of their first entry; retired last."""
    groups: dict[str, list[Dossier]] = {}
    for dossier in library.dossiers.values():
        retired = dossier.entry.status == "retired"
        groups.setdefault("retired" if retired else dossier.entry.categories[0], []).append(dossier)
    return dict(sorted(groups.items(), key=lambda pair: (pair[0] == "retired", pair[0])))


def _by_project(dossiers: list[Dossier]) -> dict[str, list[Dossier]]:
    names = sorted({name for dossier in dossiers for name in dossier.entry.projects})
    return {name: [d for d in dossiers if name in d.entry.projects] for name in names}
