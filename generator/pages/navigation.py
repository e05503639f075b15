"""The navigation and the list of all pages of one language."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from generator.pages.article import article, downloads, evidence_of_entry
from generator.pages.categories import categories, category_page, first_of, path_of
from generator.pages.claims import claims_page
from generator.pages.entries import entry_index
from generator.pages.evidence import evidence_page
from generator.pages.home import home
from generator.pages.notebook import notebook
from generator.pages.notebook_links import NOTEBOOK
from generator.pages.page import Download
from generator.pages.reference import reference_page
from generator.pages.releases import INDEX as RELEASES
from generator.pages.releases import release_pages
from generator.pages.rules import rule_index, rule_page
from generator.pages.symptoms import symptom_index, symptom_page
from generator.text.links import placed
from generator.text.markup import plain

if TYPE_CHECKING:
    from generator.pages.page import Page
    from generator.view.edition import Edition
    from generator.view.library import Dossier

_ABOUT = {
    "reading-evidence.md": "nav_reading",
    "run.md": "nav_run",
    "fit.md": "nav_fit",
    "triage.md": "nav_triage",
    "watch.md": "nav_watch",
    "first-entry.md": "nav_first",
    "contribute.md": "nav_contribute",
    "reference.md": "nav_reference",
    "glossary.md": "nav_glossary",
    "architecture.md": "nav_architecture",
    "finding.md": "nav_finding",
    "checking.md": "nav_checking",
    "about.md": "nav_about",
}


def pages(edition: Edition) -> list[Page]:
    """Render every generated page of one language."""
    made = _rendered(edition)
    known = {page.path for page in made}
    return [replace(page, text=placed(page.text, page.path, known)) for page in made]


def _rendered(edition: Edition) -> list[Page]:
    library, views = edition.library, edition.views.values()
    return [
        home(edition),
        entry_index(edition),
        *(article(view, library) for view in views),
        *(evidence_of_entry(view, library, edition.site) for view in views),
        *(category_page(name, edition) for name in categories(edition.library)),
        *release_pages(edition),
        symptom_index(edition),
        *(symptom_page(name, edition) for name in edition.library.book.symptoms),
        evidence_page(edition),
        claims_page(edition),
        reference_page(edition),
        rule_index(edition.library.rules, edition.lang),
        *(rule_page(view, edition.lang) for view in edition.library.rules),
    ]


def files(edition: Edition) -> list[Download]:
    """Return the files offered for download: the notebook of each entry, and its configurations."""
    return [
        one
        for view in edition.views.values()
        for one in (
            *downloads(view.dossier),
            Download(f"{view.slug}/{NOTEBOOK}", notebook(view, edition.site)),
        )
    ]


def navigation(edition: Edition) -> list[dict[str, Any]]:
    """Return the navigation as MkDocs wants it: entries by category, then the pages around them."""
    words = edition.words
    entries = [
        {words(f"category_{name.replace('-', '_')}"): _of_category(name, members, edition)}
        for name, members in first_of(edition.library).items()
    ]
    about: list[Any] = [{words(key): path} for path, key in _ABOUT.items()]
    return [
        {words("nav_home"): "index.md"},
        {words("nav_diagnose"): "diagnose.md"},
        {words("nav_by_kind"): [{words("nav_entries"): "entries.md"}, *entries]},
        {
            words("nav_proof"): [
                {words("nav_symptoms"): "symptoms/index.md"},
                {words("nav_releases"): RELEASES},
                {words("nav_evidence"): "evidence.md"},
                {words("nav_claims"): "claims.md"},
                {words("nav_rules"): "rules/index.md"},
            ]
        },
        {words("nav_book"): about},
    ]


def _of_category(name: str, members: list[Dossier], edition: Edition) -> Any:
    """Its page, which the name of the category opens, and the entries that name it first."""
    if not members:
        return path_of(name)
    listed = [{plain(one.entry.title.of(edition.lang)): f"{one.slug}/index.md"} for one in members]
    return [{edition.words("nav_category"): path_of(name)}, *listed]
