"""Lists of names that modules give to constants, read from source."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_MADE = {"list", "sorted", "set", "tuple", "frozenset", "get_args"}
_MOST_LEVELS = 8


class Lists:
    """The constants of some modules."""

    def __init__(self, modules: Iterable[ast.Module]) -> None:
        self._named: dict[str, ast.expr] = {}
        for node in (node for module in modules for node in module.body):
            match node:
                case ast.Assign(targets=[ast.Name(id=name)], value=value):
                    self._named.setdefault(name, value)
                case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
                    self._named.setdefault(name, value)

    def values(self, node: ast.expr | None, levels: int = _MOST_LEVELS) -> list[Any] | None:
        """Return the values that an expression lists; None where they are not written down."""
        match node if levels else None:
            case ast.Name(id=name):
                found = self.values(self._named.get(name), levels - 1)
            case ast.List(elts=items) | ast.Tuple(elts=items) | ast.Set(elts=items):
                found = _joined(self._item(item, levels) for item in items)
            case ast.Dict(keys=keys):
                found = _joined(self._item(key, levels) for key in keys)
            case ast.BinOp(left=left, op=ast.Add(), right=right):
                found = _joined(self.values(side, levels - 1) for side in (left, right))
            case ast.Subscript(value=ast.Name(id="Literal"), slice=inner):
                items = inner.elts if isinstance(inner, ast.Tuple) else [inner]
                found = _joined(self._item(item, levels) for item in items)
            case ast.Call(func=ast.Name(id=made), args=[inner]) if made in _MADE:
                found = self.values(inner, levels - 1)
            case ast.Call(func=ast.Attribute(value=inner, attr="keys"), args=[]):
                found = self.values(inner, levels - 1)
            case _:
                found = None
        return found

    def _item(self, node: ast.expr | None, levels: int) -> list[Any] | None:
        match node:
            case ast.Constant(value=value):
                return [value]
            case ast.Starred(value=inner):
                return self.values(inner, levels - 1)
            case _:
                return self.values(node, levels - 1)


def _joined(parts: Iterator[list[Any] | None]) -> list[Any] | None:
    found: list[Any] = []
    for part in parts:
        if part is None:
            return None
        found += part
    return found
