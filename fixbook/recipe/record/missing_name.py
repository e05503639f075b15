"""Say which name a release lacks, from the error of a step, and which release has it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fixbook.environment import installed_version
from fixbook.spoken import say

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fixbook.recipe.author.steps import Needs
    from fixbook.spoken import Spoken

_ERRORS = (
    re.compile(r"ImportError: cannot import name '(?P<name>\w+)' from '(?P<module>[\w.]+)'"),
    re.compile(r"ModuleNotFoundError: No module named '(?P<module>[\w.]+)'"),
    re.compile(r"PackageNotFoundError: No package metadata was found for (?P<module>[\w-]+)"),
    re.compile(r"AttributeError: module '(?P<module>[\w.]+)' has no attribute '(?P<name>\w+)'"),
)


def missing_name(line: str, needs: Needs, recorded: Mapping[str, str]) -> Spoken | None:
    """Read an error of importing.

    Args:
        line: The error.
        needs: What the step asks for: the releases it pins among that.
        recorded: The releases that the step was recorded with, by distribution.

    Returns:
        What is lacking, in which release, and the recorded release that has it; None if it is
        another error.
    """
    found = next(filter(None, (pattern.search(line) for pattern in _ERRORS)), None)
    if found is None:
        return None
    package = found["module"].partition(".")[0]
    pinned = dict(text.split("==") for text in needs.versions)
    version = pinned.get(package) or installed_version(package)
    if version is None:
        return say("{package} is not installed", package=package)
    name = found.groupdict().get("name") or found["module"]
    what = say("no {name} in {package} {version}", name=name, package=package, version=version)
    had = recorded.get(package)
    if had is None or had == version:
        return what
    return say("{what}; {package} {had} has it", what=what, package=package, had=had)
