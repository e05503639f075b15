"""Defects of releases as OSV records, for scanners that hold lock files against such records.

Only what steps of the book have executed is in them: a range begins with the oldest release on
which a step failed, and ends with the first on which it no longer did. What later releases all do
is a change and no defect; it stays out, or a scanner would object to every current release.

Source of the form: https://ossf.github.io/osv-schema/
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from packaging.utils import canonicalize_name

from fixbook.recipe.record import seen_on
from generator.text.markup import plain

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fixbook.book import Boundary
    from fixbook.recipe.record import SeenOn
    from generator.view.library import Dossier, Library

OSV_SCHEMA = "1.6.0"
PREFIX = "FIXBOOK"  # no home database of OSV's list: scanners read such records from a folder


def osv_records(library: Library, base: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the record of each entry that has an executed defect, by its id.

    Args:
        library: The book.
        base: Address of the site, without a slash at its end.
    """
    for slug, dossier in library.dossiers.items():
        affected = [] if dossier.entry.status == "retired" else list(_affected(dossier))
        if affected:
            yield f"{PREFIX}-{slug}", _record(dossier, affected, base)


def _record(dossier: Dossier, affected: list[dict[str, Any]], base: str) -> dict[str, Any]:
    slug, entry = dossier.slug, dossier.entry
    recorded = [one.recorded for one in dossier.evidence.values()]
    return {
        "schema_version": OSV_SCHEMA,
        "id": f"{PREFIX}-{slug}",
        "published": f"{entry.added.isoformat()}T00:00:00Z",
        "modified": max(recorded),
        "summary": plain(entry.title.en),
        "details": plain(entry.summary.en),
        "affected": affected,
        "references": [
            {"type": "ARTICLE", "url": f"{base}/en/{slug}/"},
            {"type": "EVIDENCE", "url": f"{base}/api/v1/evidence/{slug}.json"},
        ],
        "database_specific": {
            "not_a_vulnerability": True,
            "steps": {
                step.name: step.kind
                for step in dossier.outline.steps.values()
                if step.kind in {"reproduce", "fix"}
            },
            "machines": sorted(dossier.evidence),
        },
    }


def _affected(dossier: Dossier) -> Iterator[dict[str, Any]]:
    rows = seen_on(dossier.entry, dossier.outline, dossier.evidence)
    seen = {row.package: row for row in rows}
    for boundary in dossier.entry.boundary:
        name = canonicalize_name(boundary.package)
        found = seen.get(name) or seen.get(boundary.package)
        if boundary.sure == "executed" and boundary.first_fixed and found:
            failing = found.failing_below(boundary.first_fixed)
            if failing:
                yield {
                    "package": {"ecosystem": "PyPI", "name": name, "purl": f"pkg:pypi/{name}"},
                    "ranges": [{"type": "ECOSYSTEM", "events": _events(boundary, failing)}],
                    "versions": failing,
                    "database_specific": _specific(boundary, found),
                }


def _events(boundary: Boundary, failing: list[str]) -> list[dict[str, str]]:
    begins = boundary.first_bad if boundary.first_bad and not boundary.began else failing[0]
    return [{"introduced": begins}, {"fixed": str(boundary.first_fixed)}]


def _specific(boundary: Boundary, found: SeenOn) -> dict[str, Any]:
    return {
        "introduced_is": "first_bad"
        if boundary.first_bad and not boundary.began
        else "oldest release on which a step failed",
        "failed_on": list(found.failing),
        "free_on": list(found.free),
        "note": boundary.note and plain(boundary.note.en),
    }
