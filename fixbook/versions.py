"""Names, versions and requirements of distributions, as PEP 440, 503 and 508 have them.

What compares ranges or takes requirements apart is imported where it is asked for: it takes as long
as all else that a page of the book needs, and pages compare single releases.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

from packaging.version import InvalidVersion, Version

if TYPE_CHECKING:
    from packaging.requirements import Requirement
    from packaging.utils import NormalizedName


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
