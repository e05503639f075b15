"""The releases on which a failure was seen, and those on which steps were free of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from packaging.version import InvalidVersion, Version

from fixbook.recipe.record.releases import main_packages, releases_of
from fixbook.versions import canonical_name

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fixbook.book import Entry
    from fixbook.recipe.author import Step
    from fixbook.recipe.reading.outline import Outline
    from fixbook.recipe.record.evidence import Evidence


class SeenOn(NamedTuple):
    """A package of an entry, and what was seen on its releases.

    Attributes:
        package: Its distribution.
        failing: Releases on which the failure was seen, the newest first.
        free: Releases on which a fix, or a sound variant, ran.
    """

    package: str
    failing: list[str]
    free: list[str]

    def failing_below(self, fixed: str) -> list[str]:
        """Return the releases that failed before one that is free of it, the oldest first.

        Down to the next release below that was seen free of it alone: what lies before that one is
        another failure, or another beginning.

        Args:
            fixed: The first release that is free of it again.
        """
        end = Version(fixed)
        failing = sorted(one for one in map(Version, self.failing) if one < end)
        free = {one for one in map(Version, self.free) if one < end} - set(failing)
        floor = max(free, default=None)
        return [str(one) for one in failing if floor is None or one > floor]


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
        self._on.setdefault((canonical_name(package), broken), set()).add(Version(parsed.public))

    def broken_on(self, package: str) -> set[Version]:
        """Return the versions of a package that the failure was seen on."""
        return self._on.get((canonical_name(package), True), set())

    def mended_on(self, package: str) -> set[Version]:
        """Return the versions of a package that the fixed side was seen on."""
        return self._on.get((canonical_name(package), False), set())


def can_fail(step: Step) -> bool:
    """Tell whether a step shows the failure: only such a step can be a control."""
    return step.kind == "reproduce" or (step.kind == "detect" and bool(step.found))


def seen_on(entry: Entry, outline: Outline, evidence: Mapping[str, Evidence]) -> list[SeenOn]:
    """Return on which releases of its packages an entry was executed.

    Args:
        entry: The entry.
        outline: Its recipe.
        evidence: Its recorded runs by machine.
    """
    seen = Seen.of(outline, evidence)
    packages = dict.fromkeys([*(one.package for one in entry.boundary), *main_packages(entry)])
    rows = (SeenOn(one, _told(seen.broken_on(one)), _told(seen.mended_on(one))) for one in packages)
    return [row for row in rows if row.failing or row.free]


def _told(versions: set[Version]) -> list[str]:
    return [str(one) for one in sorted(versions, reverse=True)]
