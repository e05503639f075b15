"""Plain data as lines of JSON: the parts that few commands need are parsed when they are asked for.

The first line holds all other parts, and the names of those that follow it, one a line.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable

_LATER = "later"


class Rows(dict[str, Any]):
    """Parts by name; those that were laid out to be read later are parsed when they are taken."""

    def __init__(self, first: dict[str, Any], later: dict[str, bytes]) -> None:
        """Keep what was parsed, and what was not.

        Args:
            first: Parts.
            later: Other parts, as JSON.
        """
        super().__init__(first)
        self._later = later

    def __missing__(self, key: str) -> Any:
        """Parse a part."""
        value = self[key] = json.loads(self._later[key])
        return value


def laid_out(rows: dict[str, Any], later: Iterable[str]) -> str:
    """Write data so that `rows_of` reads it.

    Args:
        rows: Parts by name.
        later: Parts that are seldom needed.
    """
    names = [name for name in later if name in rows]
    first = {name: value for name, value in rows.items() if name not in names}
    parts = [first | {_LATER: names}, *(rows[name] for name in names)] if names else [first]
    return "\n".join(json.dumps(part, ensure_ascii=False) for part in parts)


def rows_of(data: bytes) -> dict[str, Any]:
    """Return what was laid out.

    Args:
        data: What `laid_out` wrote; other JSON in one line is read at once.

    Raises:
        ValueError: It is something else, or breaks off.
    """
    head, _, rest = data.partition(b"\n")
    first = json.loads(head)
    names = first.pop(_LATER, []) if isinstance(first, dict) else []
    if not names:
        if rest.strip() or not isinstance(first, dict):
            raise ValueError("no data that was laid out")
        return first
    parts = rest.split(b"\n")
    if not all(parts):
        raise ValueError("the data breaks off")
    return Rows(first, dict(zip(names, parts, strict=True)))
