"""What programs and agents read: JSON, every article as Markdown, feeds, ``llms.txt``."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from generator import PROJECT
from generator.exports.api import API, api
from generator.exports.feed import FEED, feed
from generator.pages.article import exported
from generator.text.guard import as_html, as_text
from generator.text.links import absolute
from generator.text.marks import without
from generator.text.templating import render

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from generator.view.edition import Edition

SKILL = "skills/fixbook/SKILL.md"


def exports(editions: Sequence[Edition], base: str) -> dict[str, str]:
    """Return every exported file by its path under the root of the site.

    Args:
        editions: The book in each language.
        base: Address of the site, without a slash at its end.
    """
    library = editions[0].library
    out = {f"{API}/{name}": _json(data) for name, data in api(library, base)}
    out[SKILL] = (PROJECT / SKILL).read_text("utf-8")
    for edition in editions:
        for slug, view in edition.views.items():
            text = as_text(absolute(exported(view), edition.lang, base))
            out[f"{edition.lang}/{slug}.md"] = text
        out[f"{edition.lang}/{FEED}"] = as_html(without(feed(edition, base)))
        out |= dict(_lists(edition, base))
    out["llms.txt"] = out["en/llms.txt"]
    return out


def _lists(edition: Edition, base: str) -> Iterator[tuple[str, str]]:
    """Yield a list of lists for language models, and the list of each project."""
    projects: dict[str, list[Any]] = {}
    for dossier in edition.library.dossiers.values():
        for name in dossier.entry.projects:
            projects.setdefault(name, []).append(dossier)
    said = {"t": edition.words, "lang": edition.lang, "base": base}
    messages = edition.library.book.symptoms
    yield (
        f"{edition.lang}/llms.txt",
        as_text(
            render(
                "llms.txt.j2", **said, projects=dict(sorted(projects.items())), messages=messages
            )
        ),
    )
    for name, dossiers in projects.items():
        text = render("llms_project.txt.j2", **said, name=name, dossiers=dossiers)
        yield f"{edition.lang}/llms/{name}.txt", as_text(text)
    text = render("llms_messages.txt.j2", **said, messages=messages)
    yield f"{edition.lang}/llms/messages.txt", as_text(text)


def _json(value: Any) -> str:
    return as_text(json.dumps(value, ensure_ascii=False, separators=(",", ":"))) + "\n"
