"""Values that a tool knows by name: which one was probably meant, and how sure a refusal is."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING, Any

from fixbook.config.tools import schema_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from fixbook.config.setting import ConfigDocument, Section

_PARTS = 3  # of the name of a list: tool/schema/key
_ALIKE, _MISSPELT = 0.7, 0.8
NEWER = {
    "zh": "这个版本比这里所知的都新，这个取值可能是新加的。",
    "en": "The version is newer than any known here, so the value may be new as well.",
}


def listed(names: Iterable[str]) -> set[str]:
    """Return the values that a rule lists: each stands for itself, or for a list of a key table."""
    found: set[str] = set()
    for name in names:
        parts = name.split("/")
        row = {"values": [name]}
        if len(parts) == _PARTS:
            row = schema_of(parts[0], parts[1]).keys.get(parts[2], {})
        found |= {str(item) for item in [*row.get("values", []), *row.get("older", [])]}
    return found


def is_stray(key: str, may_be: Iterable[str]) -> bool:
    """Tell whether a key is none of those that may stand there, and no comment (``_comment``)."""
    return key not in may_be and not key.startswith("_")


def lists_of(condition: Mapping[str, Any], key: str, test: str = "outside") -> Iterator[list[str]]:
    """Yield the lists with which a condition tests a key: what its value, or keys below, may be."""
    for group in ("all", "any"):
        for part in condition.get(group, ()):
            yield from lists_of(part, key, test)
    if condition.get("key") == key and test in condition:
        yield condition[test]


def meant(allowed: Iterable[str], value: Any) -> tuple[str, bool] | None:
    """Return the value most like one that is not allowed, and whether it can only be that."""
    if not isinstance(value, str):
        return None
    by_fold = {name.casefold(): name for name in sorted(allowed)}
    close = difflib.get_close_matches(value.casefold(), by_fold, n=1, cutoff=_ALIKE)
    if not close:
        return None
    alike = difflib.SequenceMatcher(None, close[0], value.casefold()).ratio()
    return by_fold[close[0]], alike >= _MISSPELT


def nearest(name: str) -> dict[str, str]:
    """Say in both languages which name is nearest."""
    return {"zh": f"；最接近的是 `{name}`", "en": f"; the nearest is `{name}`"}


def own_program(document: ConfigDocument, section: Section) -> bool:
    """Tell whether another program may read the file, and know more names than the tool does."""
    return section.tool == "trl" and document.kind != "python" and not section.closed
