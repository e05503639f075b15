"""The two pages of an entry, and its text as portable Markdown; each from the same view."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from fixbook.recipe.record import declared_logs, own_releases, releases_of
from fixbook.site_address import LOCAL_SITE, folder_address, wheel_address
from generator.pages.corrections import corrections
from generator.pages.notebook_links import opened
from generator.pages.page import Download, Page
from generator.text.guard import as_text
from generator.text.marks import legend
from generator.text.markup import plain
from generator.text.templating import render

if TYPE_CHECKING:
    from generator.view.article import ArticleView
    from generator.view.library import Dossier, Library

KINDS = ("reproduce", "detect", "fix", "non_fix")
_TELLING = 20  # characters from which a line of a log is no coincidence


def article(view: ArticleView, library: Library) -> Page:
    """Render an entry as an article: the fix first, then whether, then why; the rest folded.

    Args:
        view: The entry in one language.
        library: The book it belongs to.
    """
    title = view.entry.title.of(view.lang)
    text = render(
        "article.md.j2",
        t=view.words,
        lang=view.lang,
        view=view,
        entry=view.entry,
        quotes_error=_quotes(view.text(view.entry.symptom), view.dossier),
        executed=_executed(view),
        symptoms=library.symptoms,
        correct=corrections(view.slug, f"recipes/{view.slug}/entry.yaml", view.lang, library),
        opened=opened(view.slug, view.words, library.book.root),
    )
    return Page(f"{view.slug}/index.md", plain(title), f"{text}\n{legend(text)}")


def evidence_of_entry(view: ArticleView, library: Library, site: str = LOCAL_SITE) -> Page:
    """Render every step of an entry: how to run it, code, control, verdict, measures and log.

    Args:
        view: The entry in one language.
        library: The book it belongs to.
        site: Address that readers will use, without a slash at its end.
    """
    title = view.words("evidence_of", title=plain(view.entry.title.of(view.lang)))
    text = render(
        "entry-evidence.md.j2",
        t=view.words,
        lang=view.lang,
        view=view,
        entry=view.entry,
        wheel=wheel_address(site),
        folder=folder_address(site, view.slug),
        groups={kind: view.of_kind(kind) for kind in KINDS},
        opened=opened(view.slug, view.words, library.book.root),
    )
    return Page(f"{view.slug}/evidence/index.md", title, text)


def exported(view: ArticleView) -> str:
    """Return the article as Markdown that any reader understands."""
    text = render(
        "export.md.j2",
        t=view.words,
        lang=view.lang,
        view=view,
        entry=view.entry,
        executed=_executed(view),
    )
    return re.sub(r"\n{3,}(?=[^\n])", "\n\n", text).strip() + "\n"


def downloads(dossier: Dossier) -> list[Download]:
    """Return the configuration files that an article offers."""
    names = dict.fromkeys(
        name
        for fix in dossier.entry.fixes
        for change in fix.config
        for name in (change.before, change.after)
    )
    return [Download(f"{dossier.slug}/{name}", dossier.read(name)) for name in names]


def _quotes(text: str, dossier: Dossier) -> bool:
    """Tell whether a text already shows a line of one of the entry's logs in a code block."""
    blocks = re.findall(r"(?ms)^ *```[^\n]*\n(.*?)^ *```", as_text(text))
    logs = "\n".join(text for _, text in declared_logs(dossier.item, dossier.evidence))
    lines = (line.strip(" \t…") for shown in blocks for line in shown.splitlines())
    return any(len(line) > _TELLING and line in logs for line in lines)


def _executed(view: ArticleView) -> list[tuple[str, str, str]]:
    """Releases that ran: machine, releases, and which steps brought some of them."""
    rows: dict[tuple[str, tuple[tuple[str, str], ...]], tuple[dict[str, str], list[str]]] = {}
    for step in view.steps.values():
        machine, record = step.run.sighting.machine, step.run.record
        if record:
            own = tuple(own_releases(record).items())
            releases, titles = rows.setdefault((machine, own), ({}, []))
            releases.update(releases_of(record))
            titles.append(step.title)
    return [
        (
            machine,
            ", ".join(f"{name} {version}" for name, version in releases.items()),
            view.words("semicolon").join(titles) if own else "",
        )
        for (machine, own), (releases, titles) in sorted(rows.items(), key=_brought)
        if releases
    ]


def _brought(row: tuple[tuple[str, tuple[Any, ...]], object]) -> bool:
    """Tell whether the steps of a row brought releases: those come last."""
    return bool(row[0][1])
