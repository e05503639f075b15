"""The Python files of a recipe folder, statement by statement, and how a statement is spelt.

The spelling leaves out what does not run (comments, layout, positions, docstrings) and the names of
the folder's own modules. It is our own because `ast.dump` differs between Python versions, and the
evidence of a machine with another Python must keep counting.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fixbook.recipe.reading.data_files import data_files, named_files
from fixbook.recipe.reading.nodes import import_names, leads, omissions, walk
from fixbook.recipe.reading.source import Source, source_of
from fixbook.recipe.reading.statements import (
    calls,
    never_runs,
    one_by_one,
    plain_names,
    says_nothing,
)

if TYPE_CHECKING:
    from collections.abc import Container, Iterator

# Shared helpers are followed like modules of the folder: a recipe rests on them all the same.
_HELPERS = "fixbook.recipe.helpers"
HELPER_FOLDER = Path(__file__).parents[1] / "helpers"
_AUTHOR = "fixbook.recipe.author"
_SILENT_FIELDS = {"ctx", "kind", "type_comment", "type_ignores"}
_WITHOUT_EFFECT = {"__future__", "fixbook.recipe.alone"}
_LOCAL = "<module of this folder>"


@dataclass(slots=True)
class Module:
    """One file.

    Attributes:
        path: The file.
        tree: Its syntax tree.
        bindings: What each module-level name may be bound to; imports one name at a time.
        effects: Module-level statements that do something besides binding plain names.
        local_names: Names that stand for modules of the folder, with their files.
        sources: Modules that its module-level imports name, each once.
    """

    path: Path
    tree: ast.Module
    bindings: dict[str, list[ast.stmt]] = field(default_factory=dict)
    effects: list[ast.stmt] = field(default_factory=list)
    local_names: dict[str, Path] = field(default_factory=dict)
    sources: tuple[str, ...] = ()

    def knows(self, name: str) -> bool:
        """Tell whether a name stands for something of this module or of another one."""
        return name in self.bindings or name in self.local_names


class Folder:
    """Reads the modules of one recipe folder, each once.

    Args:
        path: The folder.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._read: dict[Path, Module] = {}
        self._local: dict[str, Path | None] = {}
        self._spelt: dict[tuple[int, tuple[str, ...]], tuple[str, list[ast.AST]]] = {}
        self._named: dict[str, frozenset[Path]] = {}

    @cached_property
    def files(self) -> list[Path]:
        """The files that steps may read."""
        return data_files(self.path)

    def named_by(self, text: str) -> frozenset[Path]:
        """Return the files that a text of the code names; see `named_files`."""
        if text not in self._named:
            self._named[text] = frozenset(named_files(self.path, self.files, text))
        return self._named[text]

    def module(self, path: Path) -> Module:
        """Return a module.

        Raises:
            OSError: It cannot be read.
            SyntaxError: It is not Python.
        """
        if path not in self._read:
            self._read[path] = self._parse(path)
        return self._read[path]

    def local(self, name: str) -> Path | None:
        """Return the file of a module that belongs to the folder or to the shared helpers."""
        if name not in self._local:  # asked hundreds of times a name, as steps share modules
            self._local[name] = self._find(name)
        return self._local[name]

    def _find(self, name: str) -> Path | None:
        if name == _HELPERS:
            return HELPER_FOLDER / "__init__.py"
        if name.startswith(_HELPERS + "."):
            path = HELPER_FOLDER.joinpath(*name.removeprefix(f"{_HELPERS}.").split("."))
            return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
        path = self.path / f"{name}.py"
        return path if "." not in name and path.is_file() else None

    def read(
        self, module: Module, node: ast.stmt, without: tuple[str, ...]
    ) -> tuple[str, list[ast.AST]]:
        """Return a statement of a module in canonical form, and its parts that may name something.

        Args:
            module: Where it stands.
            node: The statement.
            without: Fields of the statement itself to leave out.
        """
        key = (id(node), without)  # several steps reach the same statements
        if key not in self._spelt:
            parts = leads(walk(node, omissions(node, without)), module.knows)
            self._spelt[key] = (self.spell(module, node, without=without), parts)
        return self._spelt[key]

    def spell(self, module: Module, node: ast.AST, *, without: Container[str] = ()) -> str:
        """Return a statement in canonical form.

        Args:
            module: Where it stands.
            node: The statement.
            without: Fields of the statement itself to leave out, such as ``decorator_list``.
        """
        parts = [
            f"{name}={self._spell(module, value)}"
            for name, value in _fields(node)
            if name not in without
        ]
        return f"{type(node).__name__}({','.join(parts)})"

    def _spell(self, module: Module, value: Any) -> str:
        match value:
            case ast.Name(id=name) if name in module.local_names:
                return _LOCAL
            case ast.ImportFrom(module=str(name), names=names) if self.local(name):
                return f"ImportFrom({_LOCAL},{self._spell(module, names)})"
            case ast.Import(names=[ast.alias(name=name, asname=alias)]) if self.local(name):
                return f"Import({_LOCAL},{alias is None})"
            case ast.AST():
                return self.spell(module, value)
            case list():
                kept = [self._spell(module, item) for item in value if not says_nothing(item)]
                return f"[{','.join(kept)}]"
            case _:
                return repr(_without_room(value))

    def _parse(self, path: Path) -> Module:
        source = source_of(path.read_bytes())
        module = Module(path, source.tree)
        module.local_names = dict(self._local_names(source))
        for statement in module.tree.body:
            self._place(module, statement, source.used)
        if not path.is_relative_to(self.path):
            module.effects = []  # the shared helpers have none
        bound = (node for nodes in module.bindings.values() for node in nodes)
        module.sources = tuple(dict.fromkeys(name for node in bound for name in import_names(node)))
        return module

    def _local_names(self, source: Source) -> Iterator[tuple[str, Path]]:
        for alias in source.imported:
            path = self.local(alias.name)
            if path:
                yield alias.asname or alias.name.partition(".")[0], path

    def _place(self, module: Module, statement: ast.stmt, used: frozenset[str]) -> None:
        match statement:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                names = [name]
            case ast.ClassDef(name=name):
                names = [name]
            case ast.Import() | ast.ImportFrom():
                self._place_import(module, statement, used)
                return
            case ast.Assign(targets=targets):
                names = [name for target in targets for name in plain_names(target)]
            case ast.AnnAssign(target=target) | ast.AugAssign(target=target):
                names = plain_names(target)
            case _ if never_runs(statement) or says_nothing(statement):
                return
            case _:
                names = []
        for name in names:
            module.bindings.setdefault(name, []).append(statement)
        if not names or (used.isdisjoint(names) and calls(statement)):
            module.effects.append(statement)

    def _place_import(
        self, module: Module, statement: ast.Import | ast.ImportFrom, used: frozenset[str]
    ) -> None:
        for single in one_by_one(statement):
            alias = single.names[0]
            name = alias.asname or (
                alias.name if isinstance(single, ast.ImportFrom) else alias.name.partition(".")[0]
            )
            module.bindings.setdefault(name, []).append(single)
            source = single.module if isinstance(single, ast.ImportFrom) else alias.name
            if name not in used and source not in _WITHOUT_EFFECT:
                module.effects.append(single)  # imported for what importing it does


def _without_room(value: Any) -> Any:
    """Name a module of the author's room without the room: where it stands in there is layout."""
    inside = isinstance(value, str) and value.startswith(_AUTHOR)
    return value.replace(_AUTHOR, "fixbook.recipe", 1) if inside else value


def _fields(node: ast.AST) -> Iterator[tuple[str, Any]]:
    for name, value in ast.iter_fields(node):
        empty = value is None or value == []
        if name not in _SILENT_FIELDS and (isinstance(node, ast.Constant) or not empty):
            yield name, value
