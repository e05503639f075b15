"""The options that a script declares with ``argparse``, read from source."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from fixbook.config.extract.classes import Shape
from fixbook.config.extract.lists import Lists

if TYPE_CHECKING:
    from collections.abc import Iterator

_TYPES = {"int": "int", "float": "float", "json.loads": "json"}
# These of the servers read ``32k`` as well.
_TYPES |= {"human_readable_int": "size", "human_readable_int_or_auto": "size"}

_SWITCHES = ("BooleanOptionalAction", "EnableDisableAction")


def options(module: ast.Module, lists: Lists | None = None) -> Iterator[tuple[str, Shape]]:
    """Options declared with ``add_argument``, without their dashes.

    Args:
        module: Where they are declared.
        lists: What names of choices stand for; by default none is looked up.
    """
    known = lists or Lists([])
    for node in ast.walk(module):
        if isinstance(node, ast.For):
            names = [
                item.value
                for item in getattr(node.iter, "elts", [])
                if isinstance(item, ast.Constant)
            ]
            for call in ast.walk(node):
                yield from _declared(call, [str(name) for name in names], known)
        yield from _declared(node, [], known)


def _declared(node: ast.AST, names: list[str], lists: Lists) -> Iterator[tuple[str, Shape]]:
    """Options of one call; ``f"--{role}.lr"`` once for each value of its loop."""
    if not (isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "add_argument"):
        return
    for option in node.args:
        if isinstance(option, ast.Constant) and str(option.value).startswith("--"):
            yield str(option.value)[2:], _argument(node, lists)
            if any(is_pair(keyword.value) for keyword in node.keywords if keyword.arg == "action"):
                yield f"no-{str(option.value)[2:]}", _argument(node, lists)
        elif isinstance(option, ast.JoinedStr):
            for name in names:
                parts = [
                    part.value if isinstance(part, ast.Constant) else name for part in option.values
                ]
                yield "".join(map(str, parts)).removeprefix("--"), _argument(node, lists)


def is_pair(action: ast.expr) -> bool:
    """Tell whether an action declares ``--no-name`` beside ``--name``."""
    return ast.unparse(action).endswith("BooleanOptionalAction")


def _argument(call: ast.Call, lists: Lists) -> Shape:
    shape = Shape()
    for keyword in call.keywords:
        value = keyword.value
        if keyword.arg == "choices":
            if values := lists.values(value):
                shape.values = values
                shape.types.add("literal")
        elif keyword.arg == "action" and isinstance(value, ast.Constant):
            shape.types.add("flag" if str(value.value).startswith("store_") else "any")
        elif keyword.arg == "action" and ast.unparse(value).endswith(_SWITCHES):
            shape.types.add("flag")
        elif keyword.arg == "nargs":
            shape.types.add("list")
        elif keyword.arg == "type" and ast.unparse(value) in _TYPES:
            shape.types.add(_TYPES[ast.unparse(value)])
    return shape if shape.types else Shape({"any"})
