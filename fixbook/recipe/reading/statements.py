"""Questions about one statement of a module: what it binds, and whether it does anything."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator


def one_by_one(statement: ast.Import | ast.ImportFrom) -> Iterator[ast.Import | ast.ImportFrom]:
    """Split an import into one statement per name."""
    for alias in statement.names:
        if isinstance(statement, ast.Import):
            yield ast.Import(names=[alias])
        else:
            yield ast.ImportFrom(module=statement.module, names=[alias], level=statement.level)


def says_nothing(item: Any) -> bool:
    """Tell whether this is a docstring, or a text that stands like one."""
    return isinstance(item, ast.Expr) and isinstance(item.value, ast.Constant)


def never_runs(statement: ast.stmt) -> bool:
    """Tell whether this runs only for type checkers or only where the file is the program."""
    match statement:
        case ast.If(test=ast.Name(id="TYPE_CHECKING"), orelse=[]):
            return True
        case ast.If(test=ast.Compare(left=ast.Name(id="__name__")), orelse=[]):
            return True
    return False


def calls(statement: ast.stmt) -> bool:
    """Tell whether this calls something where it stands."""
    if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return False  # what it calls, it calls when it is used
    return any(isinstance(node, ast.Call) for node in ast.walk(statement))


def plain_names(target: ast.expr) -> list[str]:
    """Names that an assignment binds; none if it also changes something else."""
    match target:
        case ast.Name(id=name):
            return [name]
        case ast.Tuple(elts=items) | ast.List(elts=items):
            found = [plain_names(item) for item in items]
            return [name for names in found for name in names] if all(found) else []
    return []
