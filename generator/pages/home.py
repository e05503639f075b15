"""The home page: a box to ask, what the book covers, what is new, how far it is proven."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from fixbook.recipe.record import declared_logs
from generator.pages.page import Page
from generator.pages.rules import anchor
from generator.text.templating import render
from generator.view.article import proof_badge
from generator.view.coverage import QUIET, active, news, projects, proven, quiet, stages

if TYPE_CHECKING:
    from generator.view.edition import Edition
    from generator.view.library import Dossier, Library

_NEW, _QUIET, _PROJECTS = 6, 8, 24
_LINES, _SHORTEST, _LONGEST = 3, 24, 160  # examples, and characters of one


class Example(NamedTuple):
    """Something to try in the box.

    Attributes:
        kind: ``line``, ``words`` or ``config``.
        label: What it is called on the page.
        text: What the box is filled with.
    """

    kind: str
    label: str
    text: str


def home(edition: Edition) -> Page:
    """Render the home page; every number on it is counted."""
    words, library = edition.words, edition.library
    dossiers = active(library)
    symptoms = library.book.symptoms
    known = projects(library)
    silent = quiet(dossiers)
    text = render(
        "home.md.j2",
        t=words,
        lang=edition.lang,
        entries=len(dossiers),
        stages=stages(dossiers),
        projects=dict(list(known.items())[:_PROJECTS]),
        more_projects=max(0, len(known) - _PROJECTS),
        symptoms=len(symptoms),
        shared=sum(bool(library.causes(name)) for name in symptoms),
        rules=sum(not view.of_machine for view in library.rules),
        rule_anchor=anchor,
        tools=sum(rules > 0 for _, rules in known.values()),
        news=news(dossiers)[:_NEW],
        quiet=silent[:_QUIET],
        more_quiet=max(0, len(silent) - _QUIET),
        quiet_category=QUIET,
        proofs={d.slug: proof_badge(d, words) for d in dossiers},
        proven=proven(library),
        examples=examples(edition),
    )
    return Page("index.md", words("nav_home"), text)


def by_category(library: Library) -> dict[str, list[Dossier]]:
    """Group the active entries by category, in the order of their first entry; retired last."""
    groups: dict[str, list[Dossier]] = {}
    for dossier in library.dossiers.values():
        retired = dossier.entry.status == "retired"
        groups.setdefault("retired" if retired else dossier.entry.categories[0], []).append(dossier)
    return dict(sorted(groups.items(), key=lambda pair: (pair[0] == "retired", pair[0])))


def examples(edition: Edition) -> list[Example]:
    """Return what a reader may try: lines of the book's own logs, words, a configuration."""
    library, words = edition.library, edition.words
    firsts = [members[0] for members in by_category(library).values()]
    found = [
        Example("line", line, line) for line in filter(None, (_line(d, library) for d in firsts))
    ]
    found = sorted(dict.fromkeys(found), key=lambda one: len(one.text))[:_LINES]
    typed = [getattr(dossier.entry.aliases, edition.lang)[:1] for dossier in firsts]
    shortest = min((alias for one in typed for alias in one), key=len, default="")
    found += [Example("words", shortest, shortest)] if shortest else []
    for view in library.rules[:1]:
        name = min(view.tools)[0]
        label = words("try_config", tool=name)
        found.append(Example("config", label, view.fails.text + "\n"))
    return found


def _line(dossier: Dossier, library: Library) -> str:
    """The line of a real log that decides, if it is neither too short nor too long to read."""
    for _, log in declared_logs(dossier.item, dossier.evidence):
        match = library.logs.decides(log, dossier)
        text = match.line.text.strip() if match else ""
        if _SHORTEST <= len(text) <= _LONGEST:
            return text
    return ""
