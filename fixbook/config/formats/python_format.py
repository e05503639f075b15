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
    elsewhere = set(_defined_elsewhere(module))
    # Unsloth replaces the trainers' constructors by its own, which take what they please.
    patched = "unsloth" in _modules(module)
    sections = []
    for node in ast.walk(module):
        if isinstance(node, ast.Call) and node.keywords and not _names(node.func) & elsewhere:
            schema = classes.get(_name(node.func))
            if schema and not (patched and schema.constructs):
                sections.append(reader.call(node, Section(schema)))
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


def _defined_elsewhere(module: ast.Module) -> Iterator[str]:
    """Names that this file defines itself, or imports from another package than the tools'."""
    for node in ast.walk(module):
        if isinstance(node, ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name.split(".")[0] not in _PACKAGES:
                    yield alias.asname or alias.name.split(".")[0]
        elif isinstance(node, ast.ImportFrom):
            package = (node.module or "").split(".")[0]
            if node.level or package not in _PACKAGES:
                yield from (alias.asname or alias.name for alias in node.names)


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


def _name(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")
