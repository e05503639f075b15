"""The list of all entries, which a category or a project narrows."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from generator.article_view import proof_badge
from generator.coverage import STAGES
from generator.home import by_category
from generator.page import Page
from generator.templating import render

if TYPE_CHECKING:
    from generator.edition import Edition


def entry_index(edition: Edition) -> Page:
    """Render the list of all entries, in the order of the stages of a job."""
    words, library = edition.words, edition.library
    order = [category for categories in STAGES.values() for category in categories]
    groups = by_category(library)
    order += sorted(groups.keys() - {*order, "retired"})
    listed = [(name, groups[name]) for name in [*order, "retired"] if name in groups]
    dossiers = [dossier for _, members in listed for dossier in members]
    in_category: Counter[str] = Counter(name for d in dossiers for name in d.entry.categories)
    text = render(
        "entries.md.j2",
        t=words,
        lang=edition.lang,
        listed=listed,
        categories={name: in_category[name] for name in order if in_category[name]},
        projects=dict(sorted(Counter(p for d in dossiers for p in d.entry.projects).items())),
        proofs={d.slug: proof_badge(d, words) for d in dossiers},
    )
    return Page("entries.md", words("nav_entries"), text)
