"""The list of all entries, which a category, a project or words narrow."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from generator.pages.categories import categories, first_of
from generator.pages.page import Page
from generator.text.templating import render

if TYPE_CHECKING:
    from generator.view.edition import Edition


def entry_index(edition: Edition) -> Page:
    """Render the list of all entries, in the order of the stages of a job."""
    words, library = edition.words, edition.library
    named = Counter(name for d in library.dossiers.values() for name in d.entry.projects)
    text = render(
        "entries.md.j2",
        t=words,
        lang=edition.lang,
        groups=first_of(library),
        categories={name: len(members) for name, members in categories(library).items()},
        projects=dict(sorted(named.items())),
    )
    return Page("entries.md", words("nav_entries"), text)
