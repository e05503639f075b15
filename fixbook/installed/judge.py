"""Hold releases against the boundaries of the book: what an installed release is known for."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from fixbook.versions import parse_version, place_of, public

if TYPE_CHECKING:
    from collections.abc import Iterable

    from packaging.version import Version

    from fixbook.installed.inventory import Installed, Inventory

Kind = Literal["defect", "change"]
Level = Literal["warning", "note"]


@dataclass(frozen=True, slots=True)
class Finding:
    """A release that lies within a boundary.

    Attributes:
        kind: ``defect`` if a later release is free of it; ``change`` if all later ones have it,
            so that code written for earlier ones fails.
        installed: The distribution.
        row: The boundary, as `fixbook.index.bounds` gives it.
    """

    kind: Kind
    installed: Installed
    row: dict[str, Any]

    @property
    def level(self) -> Level:
        """How much it counts: only a defect that was executed on both sides is a warning."""
        return "warning" if self.kind == "defect" and self.row["sure"] == "executed" else "note"


@dataclass(slots=True)
class Audit:
    """The result for one list.

    Attributes:
        inventory: What was audited.
        findings: Warnings first, then by package and entry.
        unsure: Boundaries of which it is not known whether the release lies within: see
            `standing`.
        about: Names of the distributions that the book has run or says anything of.
        never: Of these, those on whose release no step has run.
    """

    inventory: Inventory
    findings: list[Finding] = field(default_factory=list)
    unsure: list[tuple[Installed, dict[str, Any]]] = field(default_factory=list)
    about: set[str] = field(default_factory=set)
    never: list[Installed] = field(default_factory=list)

    @property
    def defects(self) -> list[Finding]:
        """What a later release is free of."""
        return [one for one in self.findings if one.kind == "defect"]


def audit(inventory: Inventory, rows: dict[str, Any]) -> Audit:
    """Hold a list against the boundaries.

    Args:
        inventory: What is installed or pinned.
        rows: The compiled boundaries, as `fixbook.index.bounds` gives them.
    """
    result = Audit(inventory)
    by_package: dict[str, list[dict[str, Any]]] = {}
    for row in rows["bounds"]:
        by_package.setdefault(row["package"], []).append(row)
    executed = {name: _versions(releases) for name, releases in rows["executed"].items()}
    for one in inventory.found:
        if one.name in executed or one.name in by_package:
            result.about.add(one.name)
        if one.name in executed and public(one.release) not in executed[one.name]:
            result.never.append(one)
        for row in by_package.get(one.name, ()):
            kind = standing(one.release, row)
            if kind == "unsure":
                result.unsure.append((one, row))
            elif kind:
                result.findings.append(Finding(kind, one, row))
    result.findings.sort(key=_order)
    return result


def standing(release: str, row: dict[str, Any]) -> Kind | Literal["unsure"] | None:
    """Tell where a release stands to a boundary.

    Args:
        release: The release; its local part (``+cu128``) does not count.
        row: The boundary.

    Returns:
        ``defect`` or ``change`` if it lies within, None if it does not; ``unsure`` for one between
        the last good and the first bad release, for a candidate of the first fixed or the first
        bad one, and for one that is older than every release that failed, where nothing says when
        the failure began: what fails may not have been there yet.
    """
    sides = (row["last_good"], row["first_bad"], row["first_fixed"])
    place = place_of(release, *sides)
    if place != "within":
        return "unsure" if place == "unsure" else None
    failed = [parse_version(one) for one in row["failed_on"]]
    if not row["first_bad"] and failed and public(release) < min(failed):
        return "unsure"
    return "defect" if row["first_fixed"] else "change"


def _versions(releases: Iterable[str]) -> set[Version]:
    return {public(one) for one in releases}


def _order(finding: Finding) -> tuple[bool, bool, str, str]:
    note = finding.level == "note"
    return finding.kind == "change", note, finding.installed.name, finding.row["entry"]
