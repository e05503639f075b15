"""Walk the parts of a statement, and read the texts and paths it spells out."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Iterator


def leads(parts: Iterable[ast.AST], known: Callable[[str], bool]) -> list[ast.AST]:
    """Return the parts of a statement that may refer to code, files or snippets, each once.

    Args:
        parts: All of them, as `walk` yields them.
        known: Tells whether a name stands for something of the module.
    """
    found: dict[Hashable, ast.AST] = {}
    for part in parts:
        to = _leads_to(part, known)
        if to is not None:
            found.setdefault(to, part)
    return list(found.values())


def _leads_to(part: ast.AST, known: Callable[[str], bool]) -> Hashable:
    match part:
        case ast.Name(id=name):
            return (name,) if known(name) else None
        case ast.Attribute(value=ast.Name(id=name), attr=attr):
            return (name, attr) if known(name) else None
        case ast.Constant(value=str(text)):
            return text
        case ast.BinOp(op=ast.Div()) | ast.Call() | ast.Import() | ast.ImportFrom():
            return id(part)
        case ast.JoinedStr():
            return id(part)
    return None


def import_names(node: ast.stmt) -> list[str]:
    """Return the modules that an import names; none of another statement."""
    match node:
        case ast.ImportFrom(module=str(name)):
            return [name]
        case ast.Import(names=names):
            return [alias.name for alias in names]
    return []


def omissions(node: ast.stmt, fields: tuple[str, ...]) -> set[int]:
    """Identities of what a walk leaves out: the given fields of a statement, and docstrings."""
    left_out: set[int] = set()
    for name in fields:
        value = getattr(node, name, None)
        left_out |= {id(item) for item in (value if isinstance(value, list) else [value])}
    for part in ast.walk(node):
        if isinstance(part, ast.Expr) and isinstance(part.value, ast.Constant):
            left_out.add(id(part))
    return left_out


def walk(node: ast.AST, left_out: set[int]) -> Iterator[ast.AST]:
    """Walk depth first, not into parts left out, nor into parts that are met within their whole.

    Those are the name before an attribute, the pieces of an f-string, and the pieces of a path.
    """
    if id(node) in left_out:
        return
    yield node
    children: Iterable[ast.AST] = ast.iter_child_nodes(node)
    match node:
        case ast.Attribute(value=ast.Name()):
            return
        case ast.JoinedStr(values=values):
            children = [value for value in values if not isinstance(value, ast.Constant)]
        case ast.BinOp(op=ast.Div()) if path_end(node):
            children = [part for part in _pieces(node) if not isinstance(part, ast.Constant)]
    for child in children:
        yield from walk(child, left_out)


def pattern(values: list[ast.expr]) -> str:
    """An f-string with ``*`` for what is filled in."""
    return "".join(
        value.value if isinstance(value, ast.Constant) and isinstance(value.value, str) else "*"
        for value in values
    )


def path_end(node: ast.expr) -> str:
    """The constant end of ``folder / "configs" / "after.yaml"``; empty if it has none."""
    end = ""
    for piece in reversed(_pieces(node)):
        match piece:
            case ast.Constant(value=str(text)):
                end = f"{text}/{end}" if end else text
            case ast.JoinedStr(values=values):
                end = f"{pattern(values)}/{end}" if end else pattern(values)
            case _:
                break
    return end


def _pieces(node: ast.expr) -> list[ast.expr]:
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div):
        return [*_pieces(node.left), node.right]
    return [node]
