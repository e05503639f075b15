"""What programs read: static JSON, a Markdown twin of every article, a feed, and ``llms.txt``."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from fixbook.book import Entry, with_snippets
from fixbook.recipe.record import ran_on, releases_of, seen_on, standing
from fixbook.text import LANGS
from generator.exports.feed import FEED, feed
from generator.pages.article import exported
from generator.text.guard import as_html, as_text
from generator.text.links import absolute
from generator.text.marks import without
from generator.text.markup import plain
from generator.text.templating import render
from generator.view.status import best, count

if TYPE_CHECKING:
    from collections.abc import Sequence

    from generator.view.edition import Edition
    from generator.view.library import Dossier, Library

SCHEMA = 1
API = "api/v1"


def exports(editions: Sequence[Edition], base: str) -> dict[str, str]:
    """Return every exported file by its path under the root of the site.

    Args:
        editions: The book in each language.
        base: Address of the site, without a slash at its end.
    """
    library = editions[0].library
    out = {
        f"{API}/index.json": _json(index(library, base)),
        f"{API}/schema/entry.json": _json(Entry.model_json_schema(by_alias=True)),
    }
    for slug, dossier in library.dossiers.items():
        out[f"{API}/entries/{slug}.json"] = _json(entry_json(dossier, base))
    for edition in editions:
        for slug, view in edition.views.items():
            text = absolute(exported(view), edition.lang, base)
            out[f"{edition.lang}/{slug}/index.md"] = as_text(text)
        out[f"{edition.lang}/{FEED}"] = as_html(without(feed(edition, base)))
        listed = render(
            "llms.txt.j2",
            t=edition.words,
            lang=edition.lang,
            base=base,
            dossiers=library.dossiers.values(),
        )
        out[f"{edition.lang}/llms.txt"] = as_text(listed)
    return out


def index(library: Library, base: str) -> dict[str, Any]:
    """Return the list of all entries."""
    return {
        "schema_version": SCHEMA,
        "schema": f"{base}/{API}/schema/entry.json",
        "entries": [_head(dossier, base) for dossier in library.dossiers.values()],
        "symptoms": [
            {
                "id": name,
                "title": symptom.title.model_dump(),
                "patterns": symptom.patterns,
                "causes": [dossier.slug for dossier in library.causes(name)],
            }
            for name, symptom in library.book.symptoms.items()
        ],
    }


def entry_json(dossier: Dossier, base: str) -> dict[str, Any]:
    """Return one entry with its measures filled in, and the state of each of its steps."""
    return {
        "schema_version": SCHEMA,
        **_head(dossier, base),
        "entry": _placed(dossier.entry.model_dump(mode="json", by_alias=True), dossier.entry, base),
        "evidence": {
            name: {
                "recorded": one.recorded,
                "machine": one.machine.model_dump(mode="json"),
                "versions": ran_on(dossier.outline, {name: one}),
                "stale": dossier.stale[name],
            }
            for name, one in dossier.evidence.items()
        },
        "steps": {name: _step(dossier, name) for name in dossier.outline.steps},
    }


def _placed(node: Any, entry: Entry, base: str, lang: str = "") -> Any:
    """Put snippets where texts ask for them, and the address of the site before their links."""
    if isinstance(node, dict):
        return {
            key: _placed(value, entry, base, key if key in LANGS else lang)
            for key, value in node.items()
        }
    if isinstance(node, list):
        return [_placed(value, entry, base, lang) for value in node]
    if not isinstance(node, str):
        return node
    return absolute(with_snippets(node, entry.snippets), lang, base)


def _head(dossier: Dossier, base: str) -> dict[str, Any]:
    entry, seen = dossier.entry, count(dossier)
    return {
        "slug": dossier.slug,
        "status": entry.status,
        "title": {lang: plain(entry.title.of(lang)) for lang in LANGS},
        "summary": {lang: plain(entry.summary.of(lang)) for lang in LANGS},
        "categories": entry.categories,
        "projects": entry.projects,
        "shown": standing(entry, dossier.outline, dossier.evidence, dossier.stale),
        "seen": [row._asdict() for row in seen_on(entry, dossier.outline, dossier.evidence)],
        "boundary": [row.model_dump(mode="json", exclude={"note"}) for row in entry.boundary],
        "steps_seen": {"passed": seen.passed, "stale": seen.stale, "total": seen.total},
        "url": {lang: f"{base}/{lang}/{dossier.slug}/" for lang in LANGS},
        "json": f"{base}/{API}/entries/{dossier.slug}.json",
    }


def _step(dossier: Dossier, name: str) -> dict[str, Any]:
    step = dossier.outline.steps[name]
    seen = best(dossier, step)
    record = seen.record if seen.seen else None
    return {
        "kind": step.kind,
        "target": step.target or None,
        "on": step.needs.on,
        "ranks": step.needs.ranks,
        "state": seen.state,
        "machine": seen.machine if record else None,
        "recorded": (record.recorded or seen.evidence.recorded)
        if record and seen.evidence
        else None,
        "versions": releases_of(record) if record else {},
        "measures": record.measures if record else {},
    }


def _json(value: Any) -> str:
    return as_text(json.dumps(value, ensure_ascii=False, indent=1)) + "\n"
