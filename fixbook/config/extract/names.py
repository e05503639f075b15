"""The names that can be imported from the modules of a released package, read from its source.

Rather too many than too few: a name that is only made at run time may be taken for one that is
gone, a string in a lazy package's list for one that is there.
"""

from __future__ import annotations

import ast
import re
import warnings
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

# How lazy packages list their names: by module, or by the __all__ of every module below.
_LAZY = {"_import_structure", "import_structure", "_SUBMOD_ATTRS", "_create_module_alias"}
_BY_ALL = "define_import_structure"
_EXPORTS = {"export", "requires"}  # decorators that such a package takes for a place in __all__
# Files that nobody's training imports from.
_LEFT_OUT = re.compile(
    r"/tests?/|/convert_|/modeling_(?:tf|flax)_|/(?:cli|commands|sagemaker)[/.]|/dummy_|/modular_|testing_utils"
)


@dataclass(slots=True)
class Module:
    """What a file binds.

    Attributes:
        names: All names that can be imported from it.
        own: Those that are its package's: defined here, or taken from a module of the package.
        defined: Those that are defined here.
        exported: Those it lists in ``__all__``, or marks.
        starred: Modules all of whose names it takes, as dotted names.
        lists_all: Whether it has the exported names of all modules below it.
    """

    names: set[str] = field(default_factory=set)
    own: set[str] = field(default_factory=set)
    defined: set[str] = field(default_factory=set)
    exported: set[str] = field(default_factory=set)
    starred: list[str] = field(default_factory=list)
    lists_all: bool = False

    def starred_names(self) -> set[str]:
        """Return what ``import *`` takes, but for what the module takes so itself."""
        return self.exported or {name for name in self.defined if not name.startswith("_")}

    def has(self, names: Iterable[str], *, defined: bool = False) -> None:
        """Note names of the package."""
        added = {name for name in names if name}
        self.names |= added
        self.own |= added
        if defined:
            self.defined |= added


def modules_of(files: Mapping[str, str]) -> dict[str, Module]:
    """Return the modules of a package by dotted name, without the package's own.

    Args:
        files: Text of its files by path, from the import name on.
    """
    read = {_dotted(path): _module(path, text) for path, text in _sources(files)}
    for dotted in [name for name in read if name]:
        parent, _dot, last = dotted.rpartition(".")
        if parent in read:
            read[parent].names.add(last)
    for dotted, module in read.items():
        if module.lists_all:
            below = [one for name, one in read.items() if _is_below(name, dotted)]
            module.has(set[str]().union(*(one.exported for one in below)))
    for dotted, module in read.items():
        for source in _starred(dotted, read, set()):
            module.names |= read[source].names
            module.own |= read[source].starred_names()
    return read


def _sources(files: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    for path, text in sorted(files.items()):
        if path.endswith(".py") and not _LEFT_OUT.search(path):
            yield path, text


def _dotted(path: str) -> str:
    parts = path.removesuffix(".py").split("/")[1:]
    return ".".join(parts[:-1] if parts[-1:] == ["__init__"] else parts)


def _is_below(name: str, package: str) -> bool:
    return not package or name.startswith(f"{package}.")


def _starred(dotted: str, modules: Mapping[str, Module], seen: set[str]) -> set[str]:
    """The modules whose names a module takes by ``import *``, and those that these take."""
    for source in modules[dotted].starred:
        if source in modules and source not in seen:
            seen.add(source)
            _starred(source, modules, seen)
    return seen


class _Place:
    """Where a file of a package stands."""

    def __init__(self, path: str) -> None:
        self._root, *self._folders, last = path.split("/")
        self.is_package = last == "__init__.py"

    def source(self, node: ast.ImportFrom) -> list[str]:
        """Return the module that it imports from, in a list: without one if not its package's."""
        below = node.module.split(".") if node.module else []
        if node.level:
            folders = self._folders[: len(self._folders) - node.level + 1]
            return [".".join([*folders, *below])]
        return [".".join(below[1:])] if below[:1] == [self._root] else []


def _module(path: str, text: str) -> Module:
    found = Module()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SyntaxWarning)
        try:
            tree = ast.parse(text)
        except SyntaxError:
            return found
    place = _Place(path)
    for node in _run_at_import(tree.body):
        _note(node, found, place)
    return found


def _run_at_import(body: Sequence[ast.stmt]) -> Iterator[ast.stmt]:
    for node in body:
        yield node
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            continue
        for name in ("body", "orelse", "finalbody"):
            yield from _run_at_import(getattr(node, name, []))
        for handler in getattr(node, "handlers", []):
            yield from _run_at_import(handler.body)


def _note(node: ast.stmt, found: Module, place: _Place) -> None:
    match node:
        case ast.FunctionDef(name="__getattr__"):
            found.has(_strings(node))
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            found.has({name}, defined=True)
            if {_last_name(one) for one in node.decorator_list} & _EXPORTS:
                found.exported.add(name)
        case ast.Import(names=aliases):
            found.names |= {one.asname or one.name.split(".")[0] for one in aliases}
        case ast.ImportFrom(names=[ast.alias(name="*")]):
            found.starred += place.source(node)
        case ast.ImportFrom(level=level, names=aliases):
            names = {one.asname or one.name for one in aliases}
            found.names |= names
            if level or (place.is_package and place.source(node)):
                found.own |= names
        case ast.Assign() | ast.AnnAssign() | ast.AugAssign() | ast.Expr():
            _note_values(node, found)


def _note_values(
    node: ast.Assign | ast.AnnAssign | ast.AugAssign | ast.Expr, found: Module
) -> None:
    """Note the names that a statement binds, and those that it puts into a list of names."""
    mentioned = {_last_name(one) for one in ast.walk(node)}
    if not mentioned.isdisjoint(_LAZY):
        found.has(_strings(node))
    if "__all__" in mentioned:
        found.exported |= set(_strings(node))
    found.lists_all = found.lists_all or _BY_ALL in mentioned
    if not isinstance(node, ast.Expr):
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        bound = (one for target in targets for one in ast.walk(target))
        found.has((one.id for one in bound if isinstance(one, ast.Name)), defined=True)


def _strings(node: ast.AST) -> Iterator[str]:
    for one in ast.walk(node):
        if isinstance(one, ast.Constant) and isinstance(one.value, str):
            yield one.value.rpartition(".")[2]


def _last_name(node: ast.AST) -> str:
    match node:
        case ast.Call(func=func):
            return _last_name(func)
        case ast.Attribute(attr=name) | ast.Name(id=name):
            return name
    return ""
