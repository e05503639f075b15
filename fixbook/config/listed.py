"""Keys of entries in a list, or below names that a person chooses: ``*`` in tables."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fixbook.config.setting import Setting
    from fixbook.config.tool import Schema

ANY = "*"


def as_listed(schema: Schema, path: tuple[str, ...]) -> str:
    """Return the key of a schema's table that a path goes by."""
    free = _free(schema)
    if not free:
        return ".".join(path)
    parts: list[str] = []
    for part in path:
        parts.append(ANY if ".".join(parts) in free else part)
    return ".".join(parts)


def as_written(setting: Setting, listed: str) -> str:
    """Return how a key of the table beside a setting's own is written there."""
    return ".".join((*setting.path[:-1], listed.rpartition(".")[2]))


@functools.lru_cache(maxsize=64)
def _free(schema: Schema) -> frozenset[str]:
    """The keys below which any name, or a number, may stand; empty for the file as a whole."""
    ends = (key.rpartition(".") for key in schema.own)
    return frozenset(parent for parent, _, last in ends if last == ANY)
