"""The newest release that a requirement without an exact version lets pip install."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from packaging.requirements import InvalidRequirement, Requirement
from packaging.version import InvalidVersion, Version

from fixbook.config.tools import TOOLS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from packaging.specifiers import SpecifierSet

_NAMES = "|".join(name.replace("-", "[-_.]") for name in TOOLS)
_REST = r"(?:\[[\w, -]{0,80}\])?[ \t]*[<>=!~][^#\n\"']{1,200}"
_LINE = re.compile(rf"(?im)^[ \t]*(?:-[ \t]+)?((?:{_NAMES}){_REST}(?:[\"'][^\n#]{{0,100}})?)")
_QUOTED = re.compile(rf"(?i)[\"']((?:{_NAMES}){_REST})[\"']")


def bounded(name: str, text: str) -> Iterator[tuple[str, str]]:
    """Yield tool and release of the requirements of a file that leave the newest out.

    Args:
        name: The file's name; what installs by commands has none.
        text: Its text.
    """
    if "dockerfile" in name.lower() or name.endswith(".sh"):
        return
    written = _QUOTED if name.endswith((".toml", ".py")) else _LINE
    for found in written.finditer(text):
        try:
            asked = Requirement(found[1].strip().rstrip(","))
            here = asked.marker is None or asked.marker.evaluate()
        except (InvalidRequirement, ValueError):
            continue
        tool = re.sub(r"[-_.]+", "-", asked.name.lower())
        if here and tool in TOOLS and (release := _newest(asked.specifier, tool)):
            yield tool, release


def _newest(specifier: SpecifierSet, tool: str) -> str:
    """Return the newest known release that is allowed, or one that is named; empty if any is."""
    known = TOOLS[tool].versions
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
