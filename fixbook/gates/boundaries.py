"""Where a failure begins and ends was executed on both sides, or says where it was read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from packaging.version import Version

from fixbook.problem import Problem
from fixbook.recipe.record import Seen
from fixbook.text import N_, _

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fixbook.book import Boundary
    from fixbook.gates.reading import Reading

_MEND = N_(
    "let a step run on it (versions=['{package}=={version}']), or write 'sure: read' and the "
    "reference that says so"
)


def executed_bounds(reading: Reading) -> Iterator[Problem]:
    """Check the versions an entry names against the versions its steps were seen on."""
    for item in reading.entries:
        seen = Seen.of(reading.outline(item), reading.evidence(item))
        for index, boundary in enumerate(item.entry.boundary):
            where = item.source.where(("boundary", index))
            for what, version in unshown(boundary, seen):
                mend = _(_MEND).format(package=boundary.package, version=version)
                yield Problem(where, f"{boundary.package}: {what}", mend)


def unshown(boundary: Boundary, seen: Seen) -> Iterator[tuple[str, str]]:
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


def _said(what: str, version: object) -> tuple[str, str]:
    return _(what).format(version=version), str(version)
