"""The releases of libraries that steps really ran on, as the records have them.

The environment of a machine is not enough: a step under an overlay ran on the overlay's releases,
and one that takes code from a repository's tags says itself which.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from fixbook.versions import canonical_name, is_version, parse_version

if TYPE_CHECKING:
    from collections.abc import Mapping

    from packaging.version import Version

    from fixbook.book import Entry
    from fixbook.recipe.reading.outline import Outline
    from fixbook.recipe.record.evidence import Evidence, StepRecord

_MAIN_LIBRARIES = ("torch", "transformers", "axolotl", "deepspeed", "triton", "ray")
_FEW = 2
_ALWAYS = "torch"  # named beside them wherever steps ran on it


class Ran(NamedTuple):
    """A library that steps of an entry ran on.

    Attributes:
        package: Its distribution.
        newest: The newest of its releases that one of them ran on.
        earlier: How many others there are.
    """

    package: str
    newest: str
    earlier: int


def own_releases(record: StepRecord) -> dict[str, str]:
    """Return the releases that a step brought itself, by distribution.

    Args:
        record: The step as it was recorded.
    """
    checked_out = record.measures.get("releases", [])
    pinned = [*record.overlay, *checked_out]
    return dict(text.split("==", 1) for text in pinned if "==" in text)


def releases_of(record: StepRecord) -> dict[str, str]:
    """Return the releases that a step ran on, by distribution: those it brought first.

    Args:
        record: The step as it was recorded.
    """
    own = own_releases(record)
    if not own:
        return dict(record.versions)
    overlaid = {canonical_name(name) for name in own}
    return own | {
        name: version
        for name, version in record.versions.items()
        if canonical_name(name) not in overlaid
    }


def ran_on(outline: Outline, evidence: Mapping[str, Evidence]) -> dict[str, list[str]]:
    """Return every release that a step of an entry ran on, by distribution, the newest first.

    Args:
        outline: The entry's recipe.
        evidence: Its recorded runs by machine.
    """
    found: dict[str, dict[str, None]] = {}
    for one in evidence.values():
        for name, record in one.steps.items():
            if name in outline.steps and record.verdict == "passed":
                for package, version in releases_of(record).items():
                    found.setdefault(package, {})[version] = None
    return {name: sorted(found[name], key=_age, reverse=True) for name in sorted(found)}


def main_packages(entry: Entry) -> list[str]:
    """Return the libraries that tell most of an entry: those of its projects, then the usual."""
    return list(dict.fromkeys([*entry.projects, *_MAIN_LIBRARIES]))


def main_releases(entry: Entry, releases: Mapping[str, list[str]]) -> list[Ran]:
    """Return the libraries to name first: two of the entry's projects or the usual, and torch.

    Args:
        entry: The entry.
        releases: What its steps ran on; see `ran_on`.
    """
    known = [name for name in main_packages(entry) if name in releases]
    few = dict.fromkeys([*known[:_FEW], *(name for name in known if name == _ALWAYS)])
    return [Ran(name, releases[name][0], len(releases[name]) - 1) for name in few]


def _age(version: str) -> tuple[bool, Version | str]:
    """Sort releases by their order; what is no release comes before the first."""
    return (True, parse_version(version)) if is_version(version) else (False, version)
