"""What a step differs from its control in: if that is more than one thing, it proves nothing.

Two steps are compared as they are written: what their decorators ask for, and their bodies as
syntax trees. Layout, comments and docstrings do not count.
"""

from __future__ import annotations

import ast
import itertools
import textwrap
from typing import TYPE_CHECKING

from fixbook.recipe.reading.parsing import parse
from fixbook.text import _

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from fixbook.recipe.author.steps import Needs
    from fixbook.recipe.reading.outline import Outline

_LONGEST = 60


def differences(outline: Outline, step: str, control: str) -> list[str]:
    """Return each thing that two steps of a recipe differ in, as short pieces of code.

    Args:
        outline: The recipe.
        step: Name of one step.
        control: Name of the other.
    """
    mine, other = outline.steps[step], outline.steps[control]
    bodies = [_body(outline.code[name]) for name in (step, control)]
    return [*_between_needs(mine.needs, other.needs), *_between_bodies(*bodies)]


def _between_needs(mine: Needs, other: Needs) -> Iterator[str]:
    for name in ("on", "ranks"):
        if getattr(mine, name) != getattr(other, name):
            yield f"{name}={getattr(mine, name)!r}"
    for requirement in sorted(set(mine.versions) ^ set(other.versions)):
        package = requirement.partition("==")[0]
        twin = any(text.startswith(f"{package}==") for text in mine.versions)
        if requirement in mine.versions or not twin:
            yield requirement if requirement in mine.versions else _without(requirement)
    for variable in sorted({*mine.env, *other.env}):
        if mine.env.get(variable) != other.env.get(variable):
            set_to = mine.env.get(variable)
            yield f"{variable}={set_to}" if set_to is not None else _without(variable)


def _body(code: str) -> list[ast.stmt]:
    """Return the statements of a step's function, without its docstring."""
    function = parse(textwrap.dedent(code)).body[0]
    body = function.body if isinstance(function, ast.FunctionDef) else []
    first = body[0].value if body and isinstance(body[0], ast.Expr) else None
    return body[1:] if isinstance(first, ast.Constant) else body


def _between_bodies(mine: list[ast.stmt], other: list[ast.stmt]) -> Iterator[str]:
    """Two bodies that do not do the same thing differ in all that each of them does."""
    theirs = {ast.dump(statement) for statement in other}
    ours = {ast.dump(statement) for statement in mine}
    calls = [_called(body) for body in (mine, other)]
    if len(mine) == len(other) and calls[0] == calls[1]:
        yield from _between(mine, other)
        return
    yield from (_shown(part) for part in mine if ast.dump(part) not in theirs)
    yield from (_absent(part) for part in other if ast.dump(part) not in ours)


def _called(body: list[ast.stmt]) -> list[str]:
    """What each statement that is a call calls."""
    values = [part.value for part in body if isinstance(part, ast.Return | ast.Expr)]
    return [ast.dump(value.func) for value in values if isinstance(value, ast.Call)]


def _between(mine: object, other: object) -> Iterator[str]:
    """Yield the smallest parts of two trees that differ."""
    match mine, other:
        case (ast.Return() | ast.Expr(), ast.Return() | ast.Expr()):
            yield from _between(mine.value, other.value)
        case ast.Call(), ast.Call():
            yield from _between_calls(mine, other)
        case list(), list() if len(mine) == len(other):
            for left, right in zip(mine, other, strict=True):
                yield from _between(left, right)
        case ast.AST(), ast.AST() if type(mine) is type(other) and mine._fields:
            yield from _between_fields(mine, other)
        case _ if mine != other:
            yield _shown(mine)


def _between_fields(mine: ast.AST, other: ast.AST) -> Iterator[str]:
    """A leaf is shown with what is around it: 'touch=True' says more than 'True'."""
    pairs = [(getattr(mine, name), getattr(other, name)) for name in mine._fields]
    if all(not isinstance(value, (ast.AST, list)) for pair in pairs for value in pair):
        if any(left != right for left, right in pairs):
            yield _shown(mine)
        return
    for left, right in pairs:
        yield from _between(left, right)


def _between_calls(mine: ast.Call, other: ast.Call) -> Iterator[str]:
    if ast.dump(mine.func) != ast.dump(other.func):
        yield _shown(mine)
        return
    for left, right in itertools.zip_longest(mine.args, other.args):
        yield from [_absent(right)] if left is None else _between(left, right)
    named = {key.arg: key.value for key in mine.keywords}
    theirs = {key.arg: key.value for key in other.keywords}
    for name in _in_order(named, theirs):
        label = f"{name}=" if name else "**"
        if name not in named:
            yield _absent(theirs[name], label)
        elif name not in theirs:
            yield label + _shown(named[name])
        else:
            yield from (label + text for text in _between(named[name], theirs[name]))


def _in_order(*groups: Iterable[str | None]) -> list[str | None]:
    return list(dict.fromkeys(itertools.chain(*groups)))


def _absent(node: ast.AST, label: str = "") -> str:
    return _without(label + _shown(node))


def _without(what: str) -> str:
    return _("without {what}").format(what=what)


def _shown(node: object) -> str:
    text = "\n".join(map(ast.unparse, node)) if isinstance(node, list) else ""
    if isinstance(node, ast.AST):
        text = ast.unparse(node)
    short = " ".join((text or repr(node)).split())
    return short if len(short) <= _LONGEST else short[: _LONGEST - 1] + "…"
