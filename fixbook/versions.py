"""Names, versions and requirements of distributions, as PEP 440, 503 and 508 have them.

What compares ranges or takes requirements apart is imported where it is asked for: it takes as long
as all else that a page of the book needs, and pages compare single releases.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Literal

from packaging.version import InvalidVersion, Version

if TYPE_CHECKING:
    from packaging.requirements import Requirement
    from packaging.utils import NormalizedName


Place = Literal["older", "within", "mended", "unsure"]


@functools.lru_cache(maxsize=4096)
def parse_version(text: str) -> Version:
    """Return a version that sorts as releases do: ``0.5.2rc1`` before ``0.5.2``.

    Raises:
        InvalidVersion: The text is no version.
    """
    return Version(text)


def is_version(text: str) -> bool:
    """Tell whether a text is a version."""
    try:
        parse_version(text)
    except (InvalidVersion, ValueError):  # the latter: a number of thousands of digits
        return False
    return True


def public(release: str) -> Version:
    """Return a release without its local part, such as ``+cu128``."""
    return parse_version(parse_version(release).public)


def place_of(
    release: str, last_good: str | None, first_bad: str | None, first_fixed: str | None
) -> Place:
    """Tell where a release stands to a failure that begins and ends among releases.

    Args:
        release: The release; its local part does not count.
        last_good: The last release without the failure, if it is known.
        first_bad: The first one with it, if it is known.
        first_fixed: The first one in which it is mended, if it is known.

    Returns:
        ``unsure`` for a release between the last good and the first bad one, and for a candidate
        of the first bad or the first fixed one: it may have the change or not.
    """
    version = public(release)
    good, bad, fixed = (
        parse_version(one) if one else None for one in (last_good, first_bad, first_fixed)
    )
    if version.is_prerelease and version.release in {one.release for one in (bad, fixed) if one}:
        return "unsure"
    if fixed and version >= fixed:
        return "mended"
    if bad and version < bad:
        return "unsure" if good and version > good else "older"
    return "within"


@functools.lru_cache(maxsize=4096)
def within(number: str, clauses: str) -> bool:
    """Tell whether a version meets a range such as ``>=0.12,<0.19`` or ``~=0.18``.

    Args:
        number: The version. A candidate such as ``0.5.2rc1`` comes before its release, but is not
            within ``<0.5.2``: PEP 440 leaves the candidates of a bound out.
        clauses: The range; an empty one holds every version.
    """
    from packaging.specifiers import SpecifierSet  # noqa: PLC0415

    return not clauses or SpecifierSet(clauses).contains(parse_version(number), prereleases=True)


def canonical_name(distribution: str) -> NormalizedName:
    """Return the name of a distribution as an index compares it: ``ruamel-yaml``.

    Args:
        distribution: Its name.
    """
    from packaging.utils import canonicalize_name  # noqa: PLC0415

    return canonicalize_name(distribution)


def requirement(text: str) -> Requirement:
    """Return what asks for a distribution, such as ``torch>=2.6``.

    Raises:
        ValueError: The text is no requirement.
    """
    from packaging.requirements import Requirement  # noqa: PLC0415

    return Requirement(text)
