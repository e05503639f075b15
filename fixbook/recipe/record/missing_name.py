"""Say which name a release lacks, from the error of a step, and which release has it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fixbook.environment import installed_version
from fixbook.recipe.reading.libraries import distribution_of
from fixbook.text import say
from fixbook.versions import canonical_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from fixbook.recipe.author.steps import Needs
    from fixbook.text import Sentence

_NO_MODULE = re.compile(r"ModuleNotFoundError: No module named '(?P<module>[\w.]+)'")
_NO_METADATA = re.compile(
    r"PackageNotFoundError: No package metadata was found for (?P<module>[\w-]+)"
)
_ERRORS = (
    re.compile(r"ImportError: cannot import name '(?P<name>\w+)' from '(?P<module>[\w.]+)'"),
    _NO_MODULE,
    _NO_METADATA,
    re.compile(r"AttributeError: module '(?P<module>[\w.]+)' has no attribute '(?P<name>\w+)'"),
)


# Raised where the keyword is passed on: in the library that hands it to a class of its own.
_NO_KEYWORD = re.compile(
    r"TypeError: [\w.]+\(\) got an unexpected keyword argument '(?P<name>\w+)'"
)
_FRAME = re.compile(r'^ *File "<(?:site-packages|overlay)>/(?P<package>\w+)/', re.MULTILINE)
_INSTALL = re.compile(r"\bpip3? install (?:-U |--upgrade )?[\"']?(?P<name>[A-Za-z][\w.-]*\w)")


def absent_package(line: str, log: str, known: Iterable[str]) -> str | None:
    """Name the distribution for want of which an import failed; None if it is not that.

    Args:
        line: The error of a step.
        log: All that the step printed: libraries say below the error what to install.
        known: Distributions that the entry was recorded with. No other is named: a module that is
            missing need not be one that an index has.
    """
    module = _NO_MODULE.search(line) or _NO_METADATA.search(line)
    if module:
        name = distribution_of(module["module"].partition(".")[0])
    elif line.startswith("ImportError"):
        advised = _INSTALL.search(line) or _INSTALL.search(log, log.rfind("ImportError"))
        name = advised["name"] if advised else ""
    else:
        return None
    recorded = {canonical_name(one): one for one in known}
    found = recorded.get(canonical_name(name))
    return found if found and installed_version(found) is None else None


def missing_name(
    line: str, needs: Needs, recorded: Mapping[str, str], log: str = ""
) -> Sentence | None:
    """Read an error of importing, or of a keyword that a release does not know.

    Args:
        line: The error.
        needs: What the step asks for: the releases it pins among that.
        recorded: The releases that the step was recorded with, by distribution.
        log: All that the step printed: it names the library that passed the keyword on.

    Returns:
        What is lacking, in which release, and the recorded release that has it; None if it is
        another error.
    """
    pinned = dict(text.split("==") for text in needs.versions)
    if keyword := _NO_KEYWORD.search(line):
        return _unknown_keyword(keyword, log, pinned, recorded)
    found = next(filter(None, (pattern.search(line) for pattern in _ERRORS)), None)
    if found is None:
        return None
    package = found["module"].partition(".")[0]
    version = pinned.get(package) or installed_version(package)
    if version is None:
        return say("{package} is not installed", package=package)
    name = found.groupdict().get("name") or found["module"]
    what = say("no {name} in {package} {version}", name=name, package=package, version=version)
    had = recorded.get(package)
    if had is None or had == version:
        return what
    return say("{what}; {package} {had} has it", what=what, package=package, had=had)


def _unknown_keyword(
    found: re.Match[str], log: str, pinned: Mapping[str, str], recorded: Mapping[str, str]
) -> Sentence | None:
    frames = _FRAME.findall(log, 0, log.rfind(found.group()))
    package = frames[-1] if frames else ""
    version = pinned.get(package) or installed_version(package) if package else None
    had = recorded.get(package)
    if version is None or had is None or had == version:
        return None
    return say(
        "{package} {version} does not take {name}=, which the step passes; {package} {had} does",
        package=package,
        version=version,
        name=found["name"],
        had=had,
    )


def needs_package(*missing: str) -> Sentence:
    """Say that a step needs distributions that are not installed.

    Args:
        missing: Their names.
    """
    return say(
        "needs {packages}: install with 'pip install {words}'",
        packages=", ".join(missing),
        words=" ".join(missing),
    )
