"""Where a failure begins and ends was executed on both sides, or says where it was read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from packaging.specifiers import SpecifierSet
from packaging.version import Version

from fixbook.problem import Problem
from fixbook.recipe.record import Seen
from fixbook.text import N_, _

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fixbook.book import Affected, Boundary
    from fixbook.gates.reading import Reading

_BROKEN_AT = {"==", ">=", "<="}  # a bound that belongs to the range: it fails there
_MEND = N_(
    "let a step run on it (versions=['{package}=={version}']), or name the reference that says so: "
    "read: REFERENCE"
)

_MEND_BOUNDARY = N_(
    "let a step run on it (versions=['{package}=={version}']), or write 'sure: read' and the "
    "reference that says so"
)


def executed_bounds(reading: Reading) -> Iterator[Problem]:
    """Check the versions an entry names against the versions its steps were seen on."""
    for item in reading.entries:
        seen = Seen.of(reading.outline(item), reading.evidence(item))
        for index, boundary in enumerate(item.entry.boundary):
            where = item.source.where(("boundary", index))
            for what, version in _unshown(boundary, seen):
                mend = _(_MEND_BOUNDARY).format(package=boundary.package, version=version)
                yield Problem(where, f"{boundary.package}: {what}", mend)
        older = item.entry.affected or []
        for index, row in enumerate(older):
            where = item.source.where(("affected", index))
            ranges = [other.range for other in older if other.package == row.package]
            for what, version in _objections(row, seen, ranges):
                mend = _(_MEND).format(package=row.package, version=version)
                yield Problem(where, f"{row.package} {row.range}: {what}", mend)


def _unshown(boundary: Boundary, seen: Seen) -> Iterator[tuple[str, str]]:
    """Say which side of a boundary no step has run on, and the release to run."""
    if boundary.sure != "executed":
        return
    broken, mended = seen.broken_on(boundary.package), seen.mended_on(boundary.package)
    good, bad = (None, None) if boundary.began else (boundary.last_good, boundary.first_bad)
    if bad and Version(bad) not in broken:
        yield _said(N_("the failure was not seen on {version}"), bad)
    if bad and not good:
        yield _("nothing ran on the release before the first bad one"), _("THE LAST GOOD RELEASE")
    for free in (good, boundary.first_fixed):
        if free and Version(free) not in mended:
            yield _said(N_("nothing shows that {version} is free of it"), free)
    fixed = boundary.first_fixed
    if fixed and not any(version < Version(fixed) for version in broken):
        yield _("the failure was seen on no release before it ended"), _("THE LAST BAD RELEASE")


def _objections(row: Affected, seen: Seen, ranges: list[str]) -> Iterator[tuple[str, str]]:
    specifiers = SpecifierSet(row.range)
    broken, mended = seen.broken_on(row.package), seen.mended_on(row.package)
    known = [SpecifierSet(text) for text in ranges]
    outside = sorted(
        version
        for version in broken
        if not any(one.contains(version, prereleases=True) for one in known)
    )
    if outside and row.range == ranges[0]:
        yield _said(N_("the failure was seen on {version}, outside the range"), outside[0])
    if row.read:
        return
    if not any(specifiers.contains(version, prereleases=True) for version in broken):
        yield _("the failure was seen on no version of the range"), _("THE LAST BAD RELEASE")
        return
    for bound in specifiers:
        version = Version(bound.version.removesuffix(".*"))
        if bound.operator in _BROKEN_AT and version not in broken:
            yield _said(N_("the failure was not seen on {version}"), version)
        elif bound.operator in {"<", ">"} and version not in mended:
            yield _said(N_("nothing shows that {version} is free of it"), version)
    if row.fixed_in and Version(row.fixed_in) not in mended:
        yield _said(N_("nothing shows that {version} is free of it"), row.fixed_in)


def _said(what: str, version: object) -> tuple[str, str]:
    return _(what).format(version=version), str(version)
