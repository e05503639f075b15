"""The bounds of "affected" were executed, or say that they were read, and where."""

from __future__ import annotations

from typing import TYPE_CHECKING

from packaging.specifiers import SpecifierSet
from packaging.version import InvalidVersion, Version

from fixbook.gates.controls import can_fail
from fixbook.problem import Problem
from fixbook.recipe.record import releases_of
from fixbook.text import N_, _

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from fixbook.book import Affected
    from fixbook.gates.reading import Reading
    from fixbook.recipe.reading import Outline
    from fixbook.recipe.record import Evidence

_BROKEN_AT = {"==", ">=", "<="}  # a bound that belongs to the range: it fails there
_MEND = N_(
    "let a step run on it (versions=['{package}=={version}']), or name the reference that says so: "
    "read: REFERENCE"
)


def executed_bounds(reading: Reading) -> Iterator[Problem]:
    """Check the versions an entry names against the versions its steps were seen on."""
    for item in reading.entries:
        seen = Seen.of(reading.outline(item), reading.evidence(item))
        for index, row in enumerate(item.entry.affected):
            where = item.source.where(("affected", index))
            ranges = [other.range for other in item.entry.affected if other.package == row.package]
            for what, version in _objections(row, seen, ranges):
                mend = _(_MEND).format(package=row.package, version=version)
                yield Problem(where, f"{row.package} {row.range}: {what}", mend)


class Seen:
    """Which versions of which packages steps have failed and passed on."""

    def __init__(self) -> None:
        """Nothing was seen."""
        self._on: dict[tuple[str, bool], set[Version]] = {}

    @classmethod
    def of(cls, outline: Outline, records: Mapping[str, Evidence]) -> Seen:
        """Collect the versions of an entry's recorded steps: its own overlay, else the machine's.

        Args:
            outline: The entry's recipe.
            records: Its evidence by machine.
        """
        seen = cls()
        for evidence in records.values():
            for name, record in evidence.steps.items():
                step = outline.steps.get(name)
                if step is None or record.verdict != "passed":
                    continue
                fixed = step.kind == "fix" or step.found is False
                if fixed or can_fail(step):
                    for package, version in releases_of(record).items():
                        seen.add(package, version, broken=not fixed)
        return seen

    def add(self, package: str, version: str, *, broken: bool) -> None:
        """Note that a step failed (``broken``) or passed on a version."""
        try:
            parsed = Version(version)
        except InvalidVersion:
            return
        self._on.setdefault((package.lower(), broken), set()).add(Version(parsed.public))

    def broken_on(self, package: str) -> set[Version]:
        """Return the versions of a package that the failure was seen on."""
        return self._on.get((package.lower(), True), set())

    def mended_on(self, package: str) -> set[Version]:
        """Return the versions of a package that the fixed side was seen on."""
        return self._on.get((package.lower(), False), set())


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
