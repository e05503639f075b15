"""One table per tool: every key, since which release, until which, and what it accepts."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from packaging.version import Version

from fixbook.config.tools import TOOLS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from fixbook.config.extract.archives import Release
    from fixbook.config.extract.classes import Shape

_LISTED = {"literal", "enum", "named", "null", "bool"}  # types of keys whose values are all known


def keys_of(tool: str, files: Mapping[str, str]) -> dict[str, dict[str, Shape]]:
    """Return the keys of every schema of a tool.

    Args:
        tool: Its distribution name.
        files: Text of its files by path.

    Raises:
        KeyError: Nothing is known of where this tool declares its keys.
    """
    extract = TOOLS[tool].extract
    return {name: keys for name, keys in extract(files).items() if keys} if extract else {}


def table_of(releases: Iterable[Release]) -> dict[str, Any]:
    """Merge the keys of several releases of one tool.

    Args:
        releases: In any order, all of the same tool.

    Returns:
        ``versions``, ``sources`` and ``schemas``. A key has ``from`` and ``to`` only where it came
        or went between the releases read; ``types`` and ``values`` are those of the newest one, and
        hold from ``since`` on, if an older one had others.
    """
    ordered = sorted(releases, key=lambda release: Version(release.version))
    schemas: dict[str, dict[str, Any]] = {}
    for index, release in enumerate(ordered):
        for name, keys in keys_of(release.tool, release.files).items():
            for key, shape in keys.items():
                row = schemas.setdefault(name, {}).setdefault(key, {"seen": [], "all": []})
                if "types" in row and not _takes_all(shape, set(row["types"])):
                    row["since"] = index
                row |= {"seen": [*row["seen"], index], **_accepts(shape)}
                row["all"] += [value for value in row["values"] if value not in row["all"]]
    versions = [release.version for release in ordered]
    return {
        "tool": ordered[0].tool,
        "versions": versions,
        "sources": {release.version: release.file for release in ordered},
        "schemas": {
            name: {key: _row(row, versions) for key, row in sorted(keys.items())}
            for name, keys in sorted(schemas.items())
        },
    }


def as_text(table: dict[str, Any]) -> str:
    """Return a table as JSON with one key per line, so that changes read well."""
    parts = []
    for name, keys in table["schemas"].items():
        rows = [
            f"   {json.dumps(key)}: {json.dumps(row, ensure_ascii=False)}"
            for key, row in keys.items()
        ]
        parts.append(f"  {json.dumps(name)}: {{\n" + ",\n".join(rows) + "\n  }")
    head = {key: value for key, value in table.items() if key != "schemas"}
    return json.dumps(head)[:-1] + ',\n "schemas": {\n' + ",\n".join(parts) + "\n }\n}\n"


def _accepts(shape: Shape) -> dict[str, Any]:
    values = [
        value for value in dict.fromkeys(shape.values) if isinstance(value, str | int | float)
    ]
    return {"types": sorted(shape.types), "values": values, "open": shape.model is None}


def _takes_all(shape: Shape, older: set[str]) -> bool:
    """Tell whether a shape takes what an older one took; of lists, each value is remembered."""
    older = older - {"null"}
    return older == shape.types - {"null"} or (older == {"int"} and "size" in shape.types)


def _row(row: dict[str, Any], versions: list[str]) -> dict[str, Any]:
    first, last = row["seen"][0], row["seen"][-1]
    result: dict[str, Any] = {}
    if first > 0:
        result["from"] = versions[first]
    if last < len(versions) - 1:
        result["to"] = versions[last]
    if "any" not in row["types"]:
        result["types"] = row["types"]
        if row.get("since", first) > first:
            result["since"] = versions[row["since"]]
        if row["values"] and not set(row["types"]) - _LISTED:
            result["values"] = row["values"]
            older = [value for value in row["all"] if value not in row["values"]]
            result |= {"older": older} if older else {}
    return result
