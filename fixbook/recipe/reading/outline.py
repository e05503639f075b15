"""Read a recipe without running it: its steps, their code, and the libraries it declares.

Listing, linting and rendering need no torch this way, and importing a recipe never has effects on
the command that runs it.
"""

from __future__ import annotations

import ast
import dataclasses
from functools import cached_property
from typing import TYPE_CHECKING, Any

from fixbook.problem import BookError, Problem
from fixbook.recipe.author.steps import Step, step_of
from fixbook.recipe.reading.header import BLOCK, metadata
from fixbook.recipe.reading.parsing import parse
from fixbook.text import _
from fixbook.versions import requirement

if TYPE_CHECKING:
    from pathlib import Path

    from packaging.requirements import Requirement

_KINDS = {"reproduce", "detect", "fix", "non_fix"}


@dataclasses.dataclass(frozen=True)
class Outline:
    """What a recipe says of itself.

    Attributes:
        path: Its first file, ``recipe.py``.
        doc: The docstring of that file.
        steps: Its steps by name, in the order of the files.
        code: The source of each step's function, without its decorator, by step name.
        header: Its script metadata (PEP 723), as it is written.
    """

    path: Path
    doc: str
    steps: dict[str, Step]
    code: dict[str, str]
    header: str

    @cached_property
    def dependencies(self) -> tuple[Requirement, ...]:
        """The requirements of its header, without Fixbook itself.

        Raises:
            BookError: It is not TOML, or one of them is not a requirement.
        """
        try:
            asked = (metadata(self.header) or {}).get("dependencies", [])
            found = [requirement(text) for text in asked]
        except ValueError as error:
            what = _("has wrong script metadata: {reason}").format(reason=error)
            raise BookError([Problem(str(self.path), what, _("see PEP 723"))]) from None
        return tuple(need for need in found if need.name != "fixbook")


def read_outline(path: Path) -> Outline:
    """Read a recipe, and the ``proof_*.py`` files beside it.

    Args:
        path: The recipe.

    Raises:
        BookError: A file is missing, is not Python, or a decorator's argument is not a constant;
            there is no step, or one name stands for two.
    """
    files = [path, *sorted(path.parent.glob("proof_*.py"))]
    parts = [_read_file(file) for file in files]
    steps: dict[str, Step] = {}
    code: dict[str, str] = {}
    for part in parts:
        for name in part.steps.keys() & steps.keys():
            what = _("step {name!r} is in {file} already").format(name=name, file=steps[name].file)
            raise BookError([Problem(str(part.path), what, _("rename one"))])
        steps |= part.steps
        code |= part.code
    if not steps:
        mend = _("mark its functions with @reproduce, @detect, @fix or @non_fix")
        raise BookError([Problem(str(path), _("has no step"), mend)])
    return Outline(path, parts[0].doc, steps, code, parts[0].header)


def _read_file(path: Path) -> Outline:
    try:
        text = path.read_text(encoding="utf-8")
        tree = parse(text)
    except OSError:
        mend = _("write the entry's steps there")
        raise BookError([Problem(str(path), _("is missing"), mend)]) from None
    except (SyntaxError, ValueError) as error:
        where = f"{path}:{getattr(error, 'lineno', None) or 1}"
        what = _("is not valid Python: {reason}").format(reason=error)
        raise BookError([Problem(where, what, _("mend it"))]) from None
    steps, code = _Reader(path, text, tree).steps()
    return Outline(path, ast.get_docstring(tree) or "", steps, code, _header(path, text))


class _Reader:
    def __init__(self, path: Path, text: str, tree: ast.Module) -> None:
        self._path = path
        self._text = text
        self._tree = tree
        self._constants: dict[str, Any] = {}

    def steps(self) -> tuple[dict[str, Step], dict[str, str]]:
        steps: dict[str, Step] = {}
        code: dict[str, str] = {}
        lines = self._text.split("\n")
        for node in self._tree.body:
            self._remember_constant(node)
            if isinstance(node, ast.FunctionDef):
                step = self._step(node)
                if step is None:
                    continue
                if step.name in steps:
                    what = _("step {name!r} is there twice").format(name=step.name)
                    raise self._error(node, what, _("rename one"))
                steps[step.name] = step
                code[step.name] = _segment(lines, node)
        return steps, code

    def _remember_constant(self, node: ast.stmt) -> None:
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                pass
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
                pass
            case _:
                return
        try:
            self._constants[name] = self._value(value)
        except ValueError:
            self._constants.pop(name, None)

    def _step(self, function: ast.FunctionDef) -> Step | None:
        for decorator in function.decorator_list:
            match decorator:
                case ast.Call(func=ast.Name(id=kind)) if kind in _KINDS:
                    return self._from_call(function, decorator, kind)
                case ast.Name(id=kind) if kind in _KINDS:
                    what = _("@{kind} without ()").format(kind=kind)
                    raise self._error(decorator, what, _("write @{kind}()").format(kind=kind))
        return None

    def _from_call(self, function: ast.FunctionDef, call: ast.Call, kind: str) -> Step:
        try:
            positional = [self._value(argument) for argument in call.args]
            options: dict[str, Any] = {}
            for keyword in call.keywords:
                value = self._value(keyword.value)
                options |= value if keyword.arg is None else {keyword.arg: value}
            step = step_of(kind, function.name, *positional, **options)
            return dataclasses.replace(step, file=self._path.name)
        except (ValueError, TypeError) as error:
            mend = _("use constants (also constants of the module) and the documented names")
            what = _("@{kind} on {name}: {reason}")
            what = what.format(kind=kind, name=function.name, reason=error)
            raise self._error(call, what, mend) from None

    def _value(self, node: ast.expr) -> Any:
        match node:
            case ast.Name(id=name) if name in self._constants:
                return self._constants[name]
            case ast.BinOp(left=left, op=ast.Add(), right=right):
                return self._value(left) + self._value(right)
            case ast.BinOp(left=left, op=ast.BitOr(), right=right):
                return self._value(left) | self._value(right)
            case ast.List(elts=items) | ast.Tuple(elts=items):
                return [value for item in items for value in self._items(item)]
            case ast.Dict(keys=keys, values=values):
                return self._dict(keys, values)
            case _:
                return ast.literal_eval(node)

    def _dict(self, keys: list[ast.expr | None], values: list[ast.expr]) -> dict[Any, Any]:
        result: dict[Any, Any] = {}
        for key, value in zip(keys, values, strict=True):
            result |= self._value(value) if key is None else {self._value(key): self._value(value)}
        return result

    def _items(self, node: ast.expr) -> list[Any]:
        if isinstance(node, ast.Starred):
            return list(self._value(node.value))
        return [self._value(node)]

    def _error(self, node: ast.AST, what: str, mend: str) -> BookError:
        return BookError([Problem(f"{self._path}:{getattr(node, 'lineno', 1)}", what, mend)])


def _segment(lines: list[str], node: ast.FunctionDef) -> str:
    """`ast.get_source_segment` of a function of a module, whose lines it splits every time."""
    first, last = node.lineno - 1, (node.end_lineno or node.lineno) - 1
    end = lines[last].encode()[: node.end_col_offset].decode()
    return "\n".join([*lines[first:last], end])


def _header(path: Path, text: str) -> str:
    if path.name != "recipe.py":
        return ""  # has what the recipe has
    block = BLOCK.search(text)
    if block is None:
        mend = _("begin it with '# /// script' metadata (PEP 723) that names its dependencies")
        raise BookError([Problem(str(path), _("declares no dependencies"), mend)])
    return block[0]
