"""The static API: what programs read, one language a file, with the forms that the files have."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any

from pydantic import TypeAdapter

from fixbook import __version__
from fixbook.api.forms import FORMS, schemas
from fixbook.article.compose import compose_article, compose_message
from fixbook.article.data import SCHEMA_VERSION
from fixbook.index.cache import rules_of
from fixbook.recipe.record import ran_on, releases_of, seen_on, standing
from fixbook.text import LANGS
from generator.exports.forms import SERVED
from generator.exports.osv import osv_records
from generator.view.status import best, count

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fixbook.recipe.record import SeenOn
    from fixbook.text import Lang
    from generator.view.library import Dossier, Library

API = "api/v1"
_OF_LANGUAGES = ("message", "why", "mend")  # fields of a rule that are texts


def api(library: Library, base: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the files of the API by their path below `API`.

    Args:
        library: The book.
        base: Address of the site, without a slash at its end.
    """
    book = library.book
    yield "meta.json", _meta(library, base)
    yield "versions.json", versions(library)
    yield "signatures.json", _signatures(library)
    records = dict(osv_records(library, base))
    yield "osv/index.json", {"schema_version": SCHEMA_VERSION, "records": list(records)}
    for name, record in records.items():
        yield f"osv/{name}.json", record
    for name, form in SERVED.items():
        yield f"schema/{name}.json", TypeAdapter(form).json_schema()
    for name, schema in schemas().items():
        yield f"schema/command-{name}.json", schema
    for slug, dossier in library.dossiers.items():
        yield f"evidence/{slug}.json", _evidence(dossier)
    rules = rules_of(book)["rules"]
    for lang in LANGS:
        yield f"{lang}/index.json", _index(library, lang, base)
        yield (
            f"{lang}/rules.json",
            {"schema_version": SCHEMA_VERSION} | {"rules": [_rule(row, lang) for row in rules]},
        )
        for slug, dossier in library.dossiers.items():
            yield f"{lang}/entries/{slug}.json", {**compose_article(dossier.item, book, lang)}
        for name in book.symptoms:
            yield f"{lang}/messages/{name}.json", {**compose_message(name, book, lang)}


def versions(library: Library) -> dict[str, Any]:
    """Return of each package which entries were seen to fail on which of its releases.

    ``broken`` and ``free`` are releases on which steps ran, newest first; ``boundaries`` says
    where a failure begins and ends, and how sure that is. A release that is in neither list was
    not run.
    """
    packages: dict[str, dict[str, Any]] = defaultdict(dict)
    for slug, dossier in library.dossiers.items():
        for seen in _seen(dossier):
            packages[seen.package][slug] = {
                "broken": list(seen.failing),
                "free": list(seen.free),
                "boundaries": [],
            }
        for row in dossier.entry.boundary:
            empty: dict[str, list[Any]] = {"broken": [], "free": [], "boundaries": []}
            found = packages[row.package].setdefault(slug, empty)
            found["boundaries"].append(row.model_dump(mode="json", exclude={"note", "package"}))
    ordered = {name: packages[name] for name in sorted(packages)}
    return {"schema_version": SCHEMA_VERSION, "packages": ordered}


def _seen(dossier: Dossier) -> list[SeenOn]:
    return seen_on(dossier.entry, dossier.outline, dossier.evidence)


def _meta(library: Library, base: str) -> dict[str, Any]:
    address = f"{base}/{API}"
    return {
        "schema_version": SCHEMA_VERSION,
        "fixbook": __version__,
        "languages": list(LANGS),
        "entries": len(library.dossiers),
        "messages": len(library.book.symptoms),
        "rules": len(library.book.rules),
        "root": f"{base}/{{lang}}/",
        "files": {
            "index": f"{address}/{{lang}}/index.json",
            "entry": f"{address}/{{lang}}/entries/{{slug}}.json",
            "message": f"{address}/{{lang}}/messages/{{slug}}.json",
            "rules": f"{address}/{{lang}}/rules.json",
            "evidence": f"{address}/evidence/{{slug}}.json",
            "signatures": f"{address}/signatures.json",
            "versions": f"{address}/versions.json",
            "osv": f"{address}/osv/{{id}}.json",
        },
        "schemas": {name: f"{address}/schema/{name}.json" for name in SERVED}
        | {"entry": f"{address}/schema/article.json"}
        | {f"command-{name}": f"{address}/schema/command-{name}.json" for name in FORMS},
    }


def _index(library: Library, lang: Lang, base: str) -> dict[str, Any]:
    symptoms = library.book.symptoms.items()
    return {
        "schema_version": SCHEMA_VERSION,
        "lang": lang,
        "entries": [_head(dossier, lang, base) for dossier in library.dossiers.values()],
        "messages": [
            {
                "slug": name,
                "title": symptom.title.of(lang),
                "summary": symptom.summary.of(lang),
                "causes": [dossier.slug for dossier in library.causes(name)],
                "json": f"{base}/{API}/{lang}/messages/{name}.json",
            }
            for name, symptom in symptoms
        ],
    }


def _head(dossier: Dossier, lang: Lang, base: str) -> dict[str, Any]:
    entry, slug = dossier.entry, dossier.slug
    return {
        "slug": slug,
        "status": entry.status,
        "title": entry.title.of(lang),
        "summary": entry.summary.of(lang),
        "categories": entry.categories,
        "projects": entry.projects,
        "url": f"{base}/{lang}/{slug}/",
        "markdown": f"{base}/{lang}/{slug}.md",
        "json": f"{base}/{API}/{lang}/entries/{slug}.json",
    }


def _rule(row: dict[str, Any], lang: Lang) -> dict[str, Any]:
    said = {name: row[name] and row[name][lang] for name in _OF_LANGUAGES}
    return {**row, **said}


def _signatures(library: Library) -> dict[str, Any]:
    return {
        "schema_version": SCHEMA_VERSION,
        "entries": {
            slug: {one.id: one.pattern for one in dossier.entry.signatures}
            for slug, dossier in library.dossiers.items()
        },
        "messages": {
            name: list(symptom.patterns) for name, symptom in library.book.symptoms.items()
        },
    }


def _evidence(dossier: Dossier) -> dict[str, Any]:
    seen = count(dossier)
    return {
        "schema_version": SCHEMA_VERSION,
        "slug": dossier.slug,
        "shown": standing(dossier.entry, dossier.outline, dossier.evidence, dossier.stale),
        "seen": [row._asdict() for row in _seen(dossier)],
        "steps_seen": {"passed": seen.passed, "stale": seen.stale, "total": seen.total},
        "machines": {
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


def _step(dossier: Dossier, name: str) -> dict[str, Any]:
    step = dossier.outline.steps[name]
    seen = best(dossier, step)
    record = seen.record if seen.seen else None
    recorded = (record.recorded or seen.evidence.recorded) if record and seen.evidence else None
    return {
        "kind": step.kind,
        "target": step.target or None,
        "on": step.needs.on,
        "ranks": step.needs.ranks,
        "state": seen.state,
        "machine": seen.machine if record else None,
        "recorded": recorded,
        "versions": releases_of(record) if record else {},
        "measures": record.measures if record else {},
    }
