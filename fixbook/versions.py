"""Versions and ranges of them, as PEP 440 has them."""

from __future__ import annotations

import functools

from packaging.specifiers import SpecifierSet
from packaging.version import InvalidVersion, Version


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
    return not clauses or SpecifierSet(clauses).contains(parse_version(number), prereleases=True)
