"""Read keyword arguments of known classes, and imports. The file is parsed, never run."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

from fixbook.config.errors import ConfigError
from fixbook.config.formats.places import Places
from fixbook.config.setting import UNKNOWN, Place, Section, Setting

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from fixbook.config.tool import Schema

_PACKAGES = {"accelerate", "transformers", "trl"}


def read(
    text: str, name: str, classes: Mapping[str, Schema], imports: Mapping[str, Schema]
) -> list[Section]:
    """Read the calls of some classes, and what is imported from some packages.

    Args:
        text: The file's text.
        name: The file's name, for messages.
        classes: Schemas by name of class.
        imports: Schemas of imports by name of package.

    Raises:
        ConfigError: It is not Python.
    """
    try:
        module = ast.parse(text)
    except (SyntaxError, ValueError) as error:
        where = f"{name}:{getattr(error, 'lineno', 1)}:{getattr(error, 'offset', 1)}"
        reason = getattr(error, "msg", error)
        raise ConfigError(where, "bad-python", reason=reason) from None
    except (RecursionError, MemoryError):
        raise ConfigError(name, "too-deep") from None
    reader = _Reader(text)
    bound = set(_bound(module))
    ours = {name for name, is_tool in bound if is_tool}
    elsewhere = {name for name, is_tool in bound if not is_tool}
    modules = _modules(module)
    sections = []
    for call, by_release in _calls(module):
        names = _names(call.func)
        if call.keywords and not names & elsewhere and (schema := classes.get(_name(call.func))):
            # Names of constructors are common, and Unsloth replaces the trainers' by its own.
            sure = "unsloth" not in modules and (not modules or names & ours)
            if not schema.constructs or (sure and not by_release):
                sections.append(reader.call(call, Section(schema)))
    for node in _unconditional_imports(module):
        package, _dot, rest = (node.module or "").partition(".")
        if schema := None if node.level else imports.get(package):
            sections += [reader.imported(alias, rest, Section(schema)) for alias in node.names]
    return sections


class _Reader:
    def __init__(self, text: str) -> None:
        text = text.replace("\r", "\n")  # a line's end to Python, too
        self._places = Places(text)
        self._lines = text.split("\n")

    def call(self, node: ast.Call, section: Section) -> Section:
        for keyword in node.keywords:
            if keyword.arg is None:
                section.closed = section.closed and not isinstance(keyword.value, ast.Dict)
                section.complete = False
                continue
            start = self._offset(keyword.lineno, keyword.col_offset)
            key = self._places.at(start, start + len(keyword.arg))
            self._add(section, (keyword.arg,), key, keyword.value)
        return section

    def imported(self, alias: ast.alias, module: str, section: Section) -> Section:
        """One imported name, as the setting ``import``: dotted, without the package."""
        start = self._offset(alias.lineno, alias.col_offset)
        place = self._places.at(start, start + len(alias.name))
        name = f"{module}.{alias.name}" if module else alias.name
        section.add(Setting(("import",), name, place, place))
        return section

    def _add(self, section: Section, path: tuple[str, ...], key: Place, node: ast.expr) -> None:
        section.add(Setting(path, _literal(node), key, self._place(node)))
        if isinstance(node, ast.Dict):
            for name, value in zip(node.keys, node.values, strict=True):
                if isinstance(name, ast.Constant) and isinstance(name.value, str):
                    self._add(section, (*path, name.value), self._place(name), value)

    def _place(self, node: ast.expr) -> Place:
        end = self._offset(node.end_lineno or node.lineno, node.end_col_offset or node.col_offset)
        return self._places.at(self._offset(node.lineno, node.col_offset), end)

    def _offset(self, line: int, column: int) -> int:
        """`ast` counts columns in UTF-8 bytes."""
        text = self._lines[line - 1]
        if not text.isascii():
            column = len(text.encode()[:column].decode("utf-8", "ignore"))
        return self._places.offset(line, column)


def _calls(module: ast.Module) -> Iterator[tuple[ast.Call, bool]]:
    """Every call, and whether it may be for another release than the one meant.

    It may where a test asks for a version, and in a ``try`` that goes on after a TypeError.
    """
    todo: list[tuple[ast.AST, bool]] = [(module, False)]
    while todo:
        node, by_release = todo.pop()
        if isinstance(node, ast.Call):
            yield node, by_release
        tests: list[ast.expr] = []
        if isinstance(node, ast.If | ast.IfExp):
            tests = [node.test]
        elif isinstance(node, ast.Try):
            tests = [handler.type for handler in node.handlers if handler.type]
        by_release |= any(_speaks_of_releases(test) for test in tests)
        todo += [(child, by_release) for child in reversed(list(ast.iter_child_nodes(node)))]


def _speaks_of_releases(test: ast.expr) -> bool:
    names = {_name(node) for node in ast.walk(test)}
    return "TypeError" in names or any("version" in name.lower() for name in names)


def _unconditional_imports(node: ast.AST) -> Iterator[ast.ImportFrom]:
    """Imports that run whenever the code around them does: none after a test, none in a try."""
    todo = [node]
    while todo:
        node = todo.pop()
        if isinstance(node, ast.ImportFrom):
            yield node
        elif not isinstance(node, ast.If | ast.Match | ast.Try | ast.expr):
            todo += reversed(list(ast.iter_child_nodes(node)))


def _modules(module: ast.Module) -> set[str]:
    """The packages that a file imports from."""
    found = set()
    for node in ast.walk(module):
        if isinstance(node, ast.ImportFrom):
            found.add((node.module or "").split(".")[0])
        elif isinstance(node, ast.Import):
            found |= {alias.name.split(".")[0] for alias in node.names}
    return found


def _bound(module: ast.Module) -> Iterator[tuple[str, bool]]:
    """Every name that the file defines or imports, and whether it is from a tool's package."""
    for node in ast.walk(module):
        if isinstance(node, ast.ClassDef | ast.FunctionDef):
            yield node.name, False
        elif isinstance(node, ast.Import):
            for alias in node.names:
                package = alias.name.split(".")[0]
                yield alias.asname or package, package in _PACKAGES
        elif isinstance(node, ast.ImportFrom):
            package = (node.module or "").split(".")[0]
            for alias in node.names:
                yield alias.asname or alias.name, not node.level and package in _PACKAGES


def _literal(node: ast.expr) -> Any:
    try:
        return ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return UNKNOWN


def _names(node: ast.expr) -> set[str]:
    """What a call is written with: ``pl`` and ``Trainer`` of ``pl.Trainer``."""
    if isinstance(node, ast.Attribute):
        return {node.attr} | _names(node.value)
    return {_name(node)}


def _name(node: ast.AST) -> str:
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")
