"""Files of recipes and the helpers they share, each parsed once however many recipes read it."""

from __future__ import annotations

import ast
import functools
from dataclasses import dataclass

from fixbook.recipe.reading.parsing import parse


@dataclass(frozen=True, slots=True)
class Source:
    """What a file says wherever it stands.

    Attributes:
        tree: Its syntax tree, which nobody may change.
        used: The names that it loads.
        imported: The modules that it imports whole, anywhere in it.
    """

    tree: ast.Module
    used: frozenset[str]
    imported: tuple[ast.alias, ...]


@functools.lru_cache(maxsize=128)  # every recipe reads the shared helpers
def source_of(code: bytes) -> Source:
    """Read a file.

    Raises:
        SyntaxError: It is not Python.
        ValueError: It holds a null byte.
    """
    tree = parse(code)
    used: set[str] = set()
    imported: list[ast.alias] = []
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name, ctx=ast.Load()):
                used.add(name)
            case ast.Import(names=names):
                imported += names
    return Source(tree, frozenset(used), tuple(imported))
