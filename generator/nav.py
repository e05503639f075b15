"""The navigation and the list of all pages of one language."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from generator.article import article, downloads
from generator.claims_page import claims_page
from generator.evidence_page import evidence_page
from generator.home import by_category, home
from generator.markup import plain
from generator.strings import Words
from generator.symptom_pages import symptom_index, symptom_page

if TYPE_CHECKING:
    from fixbook.entry import Lang
    from generator.library import Library
    from generator.page import Download, Page

HAND_WRITTEN = {
    "reading-evidence.md": "nav_reading",
    "contribute.md": "nav_contribute",
    "finding.md": "nav_finding",
    "checking.md": "nav_checking",
    "about.md": "nav_about",
}


def pages(library: Library, lang: Lang) -> list[Page]:
    """Render every generated page of one language."""
    return [
        home(library, lang),
        *(article(dossier, library, lang) for dossier in library.dossiers.values()),
        symptom_index(library, lang),
        *(symptom_page(name, library, lang) for name in library.book.symptoms),
        evidence_page(library, lang),
        claims_page(library, lang),
    ]


def files(library: Library) -> list[Download]:
    """Return the files offered for download; the same in both languages."""
    return [one for dossier in library.dossiers.values() for one in downloads(dossier)]


def navigation(library: Library, lang: Lang) -> list[dict[str, Any]]:
    """Return the navigation as MkDocs wants it: entries by category, then the pages around them."""
    words = Words(lang)
    entries = [
        {
            words(f"category_{category.replace('-', '_')}"): [
                {plain(dossier.entry.title.of(lang)): f"{dossier.slug}/index.md"}
                for dossier in members
            ]
        }
        for category, members in by_category(library).items()
    ]
    about: list[Any] = [{words(key): path} for path, key in HAND_WRITTEN.items()]
    return [
        {words("nav_home"): "index.md"},
        {words("nav_diagnose"): "diagnose.md"},
        *entries,
        {
            words("nav_proof"): [
                {words("nav_symptoms"): "symptoms/index.md"},
                {words("nav_evidence"): "evidence.md"},
                {words("nav_claims"): "claims.md"},
            ]
        },
        {words("nav_book"): about},
    ]
