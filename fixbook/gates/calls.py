"""What the functions and classes of a recipe call, as they are written."""

from __future__ import annotations

import ast
import textwrap
from typing import TYPE_CHECKING

from fixbook.recipe.reading import parse

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path


_NAMED = (ast.FunctionDef, ast.ClassDef)


class Calls:
    """What code of a recipe calls, itself and through the recipe's own functions.

    Args:
        folder: The recipe's folder.
    """

    def __init__(self, folder: Path) -> None:
        self._bound: dict[str, ast.AST] = {}
        for path in sorted(folder.glob("*.py")):
            try:
                tree = parse(path.read_text("utf-8"))
            except SyntaxError:
                continue  # reported where the recipe is read
            named = (node for node in ast.walk(tree) if isinstance(node, _NAMED))
            self._bound |= {node.name: node for node in named}
            values = (node for node in tree.body if isinstance(node, ast.Assign | ast.AnnAssign))
            for value in values:
                targets = value.targets if isinstance(value, ast.Assign) else [value.target]
                names = (part for target in targets for part in ast.walk(target))
                self._bound |= {part.id: value for part in names if isinstance(part, ast.Name)}

    def asked(self, code: str) -> set[str]:
        """Return what each statement of code calls, and the arguments that it names.

        What only skips a machine that cannot show the failure is no part of what a step does.
        """
        body = ast.walk(parse(textwrap.dedent(code)))
        values = (getattr(node, "value", None) for node in body if isinstance(node, ast.stmt))
        calls = [node for node in values if isinstance(node, ast.Call) and not self._skips(node)]
        return {f"{name}()" for name in map(_called, calls) if name} | _named(calls)

    def text(self, code: str) -> str:
        """Return code with the functions of the recipe that it reaches, as they are written."""
        names = (name.removesuffix("()") for name in sorted(self.reached(code)))
        functions = (self._bound[name] for name in names if name in self._bound)
        return "\n".join([code, *(ast.unparse(function) for function in functions)])

    def _skips(self, call: ast.Call) -> bool:
        function = self._bound.get(_called(call))
        called = {_called(node) for node in ast.walk(function)} if function else set()
        return called == {"skip", ""}

    def reached(self, code: str) -> set[str]:
        """Return what code calls itself or through functions of the recipe, and names itself."""
        tree = parse(textwrap.dedent(code))
        seen: set[str] = set()
        todo: list[ast.AST] = [tree]
        while todo:
            for node in ast.walk(todo.pop()):
                name = _called(node) or (node.id if isinstance(node, ast.Name) else "")
                if name and name not in seen:
                    seen.add(name)
                    todo += [self._bound[name]] if name in self._bound else []
        return {f"{name}()" for name in seen} | _named(ast.walk(tree))


def _called(node: ast.AST) -> str:
    match node:
        case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)):
            return name
        case _:
            return ""


def _named(nodes: Iterable[ast.AST]) -> set[str]:
    calls = (node for node in nodes if isinstance(node, ast.Call))
    return {f"{word.arg}=" for call in calls for word in call.keywords if word.arg}
