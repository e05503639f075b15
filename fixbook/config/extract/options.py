"""The options that a script declares with ``argparse``, read from source."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from fixbook.config.extract.classes import Shape

if TYPE_CHECKING:
    from collections.abc import Iterator


def options(module: ast.Module) -> Iterator[tuple[str, Shape]]:
    """Options declared with ``add_argument``, without their dashes."""
    for node in ast.walk(module):
        if isinstance(node, ast.For):
            names = [
                item.value
                for item in getattr(node.iter, "elts", [])
                if isinstance(item, ast.Constant)
            ]
            for call in ast.walk(node):
                yield from _declared(call, [str(name) for name in names])
        yield from _declared(node, [])


def _declared(node: ast.AST, names: list[str]) -> Iterator[tuple[str, Shape]]:
    """Options of one call; ``f"--{role}.lr"`` once for each value of its loop."""
    if not (isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "add_argument"):
        return
    for option in node.args:
        if isinstance(option, ast.Constant) and str(option.value).startswith("--"):
            yield str(option.value)[2:], _argument(node)
        elif isinstance(option, ast.JoinedStr):
            for name in names:
                parts = [
                    part.value if isinstance(part, ast.Constant) else name for part in option.values
                ]
                yield "".join(map(str, parts)).removeprefix("--"), _argument(node)


def _argument(call: ast.Call) -> Shape:
    shape = Shape()
    for keyword in call.keywords:
        value = keyword.value
        if keyword.arg == "choices" and isinstance(value, ast.List):
            shape.values = [item.value for item in value.elts if isinstance(item, ast.Constant)]
            shape.types.add("literal")
        elif keyword.arg == "action" and isinstance(value, ast.Constant):
            shape.types.add("flag" if str(value.value).startswith("store_") else "any")
        elif keyword.arg == "nargs":
            shape.types.add("list")
        elif keyword.arg == "type" and isinstance(value, ast.Name) and value.id in {"int", "float"}:
            shape.types.add(value.id)
    return shape if shape.types else Shape({"any"})
