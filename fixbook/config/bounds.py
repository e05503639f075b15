"""Between which releases a requirement without an exact version lets pip choose."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from packaging.requirements import InvalidRequirement, Requirement
from packaging.version import InvalidVersion, Version

from fixbook.config.tables import changed_names
from fixbook.config.tools import EVERY

if TYPE_CHECKING:
    from collections.abc import Iterator

    from packaging.specifiers import SpecifierSet

_NAMES = "|".join(name.replace("-", "[-_.]") for name in EVERY)
_REST = r"(?:\[[\w, -]{0,80}\])?[ \t]*[<>=!~][^#\n\"']{1,200}"
_LINE = re.compile(rf"(?im)^[ \t]*(?:-[ \t]+)?((?:{_NAMES}){_REST}(?:[\"'][^\n#]{{0,100}})?)")
_QUOTED = re.compile(rf"(?i)[\"']((?:{_NAMES}){_REST})[\"']")


def bounded(name: str, text: str) -> Iterator[tuple[str, str]]:
    """Yield tool and release of the requirements of a file that leave the newest out.

    Args:
        name: The file's name; what installs by commands has none.
        text: Its text.
    """
    for tool, specifier in _asked(name, text):
        if release := _newest(specifier, tool):
            yield tool, release


def at_least(name: str, text: str) -> Iterator[tuple[str, str]]:
    """Yield tool and release of the requirements of a file that leave older ones out.

    Args:
        name: The file's name.
        text: Its text.
    """
    for tool, specifier in _asked(name, text):
        for item in specifier:
            if item.operator in {">=", "~="}:
                yield tool, item.version


def _asked(name: str, text: str) -> Iterator[tuple[str, SpecifierSet]]:
    if "dockerfile" in name.lower() or name.endswith(".sh"):
        return
    written = _QUOTED if name.endswith((".toml", ".py")) else _LINE
    for found in written.finditer(text):
        try:
            asked = Requirement(found[1].strip().rstrip(","))
            here = asked.marker is None or asked.marker.evaluate()
        except (InvalidRequirement, ValueError):
            continue
        if here:
            yield re.sub(r"[-_.]+", "-", asked.name.lower()), asked.specifier


def _newest(specifier: SpecifierSet, tool: str) -> str:
    """Return the newest known release that is allowed, or one that is named; empty if any is."""
    known = EVERY[tool].versions or changed_names(tool).get("releases")
    if not known or specifier.contains(known[-1]):
        return ""
    named = [item.version for item in specifier if item.operator in {"<=", "~=", ">=", "=="}]
    allowed = []
    for release in (*known, *named):
        try:
            allowed += [Version(release)] if specifier.contains(release) else []
        except InvalidVersion:  # 4.51.*
            continue
    return str(max(allowed)) if allowed else ""
