"""The names that can be imported from the modules of a released package, read from its source.

Rather too many than too few: a name that is only made at run time may be taken for one that is
gone, a string in a lazy package's list for one that is there.
"""

from __future__ import annotations

import ast
import json
import re
import warnings
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from packaging.version import Version

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from fixbook.config.extract.archives import Release

# How lazy packages list their names: by module, or by the __all__ of every module below.
_LAZY = {"_import_structure", "import_structure", "_SUBMOD_ATTRS", "_create_module_alias"}
_BY_ALL = "define_import_structure"
_EXPORTS = {"export", "requires"}  # decorators that such a package takes for a place in __all__
# Files that nobody's training imports from, and names that are lists of addresses.
_LEFT_OUT = re.compile(
    r"/tests?/|/convert_|/modeling_(?:tf|flax)_|/(?:cli|commands|sagemaker)[/.]|/dummy_|/modular_|testing_utils"
)
_LISTS = re.compile(r"_ARCHIVE_(?:MAP|LIST)$|^logg(?:er|ing)$|^__|^_?import_structure$")
_OF_MODELS = "models"


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

    def has(self, names: Iterable[str], *, defined: bool = False) -> None:
        """Note names of the package."""
        added = set(names)
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
            module.own |= read[source].own
    return read


def gone_from(releases: Iterable[Release]) -> dict[str, Any]:
    """Return what later releases of a package no longer have.

    Args:
        releases: In any order, all of the same package.

    Returns:
        ``releases`` in their order, and ``gone``: by module and name, the last release that has
        it, and the module that the newest release defines it in, if it is one alone. A module that
        is gone as a whole has the name ``*``.
    """
    ordered = sorted(releases, key=lambda release: Version(release.version))
    read = [modules_of(release.files) for release in ordered]
    homes = _homes(read[-1])
    gone: dict[str, dict[str, list[str]]] = {}
    for at, (before, after) in enumerate(pairwise(read)):
        for dotted, module in before.items():
            known = after.get(dotted)
            lost = _worth(dotted, module) - known.names if known else {"*"}
            for name in sorted(lost):
                if not any(_has(later, dotted, name) for later in read[at + 1 :]):
                    row = [ordered[at].version, *homes.get(name, ())]
                    gone.setdefault(dotted, {})[name] = row
    versions = [release.version for release in ordered]
    return {"releases": versions, "gone": dict(sorted(gone.items()))}


def _has(modules: Mapping[str, Module], dotted: str, name: str) -> bool:
    return dotted in modules and (name == "*" or name in modules[dotted].names)


def _worth(dotted: str, module: Module) -> set[str]:
    """The names that are told when they go: of a model's modules the public ones defined there."""
    names = module.own
    if dotted.startswith(_OF_MODELS):
        names = {name for name in module.defined if not name.startswith("_")}
    return {name for name in names if not _LISTS.search(name)}


def _homes(modules: Mapping[str, Module]) -> dict[str, list[str]]:
    """The module that alone defines a name, by name."""
    found: dict[str, list[str]] = {}
    for dotted, module in modules.items():
        for name in module.defined:
            found.setdefault(name, []).append(dotted)
    return {name: places for name, places in found.items() if len(places) == 1}


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


def _module(path: str, text: str) -> Module:
    found = Module()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SyntaxWarning)
        try:
            tree = ast.parse(text)
        except SyntaxError:
            return found
    package = path.split("/")[1:-1]
    for node in _run_at_import(tree.body):
        _note(node, found, package)
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


def _note(node: ast.stmt, found: Module, package: list[str]) -> None:
    match node:
        case ast.FunctionDef(name="__getattr__"):
            found.has(_strings(node))
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            found.has({name}, defined=True)
            if {_last_name(one) for one in node.decorator_list} & _EXPORTS:
                found.exported.add(name)
        case ast.Import(names=aliases):
            found.names |= {one.asname or one.name.split(".")[0] for one in aliases}
        case ast.ImportFrom(level=0, names=aliases):
            found.names |= {one.asname or one.name for one in aliases}
        case ast.ImportFrom(module=source, level=level, names=[ast.alias(name="*")]):
            base = package[: len(package) - level + 1]
            found.starred.append(".".join([*base, *((source or "").split(".") if source else [])]))
        case ast.ImportFrom(names=aliases):
            found.has(one.asname or one.name for one in aliases)
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


def as_text(table: dict[str, Any]) -> str:
    """Return a table as JSON with one module per line, so that changes read well."""
    rows = [
        f"  {json.dumps(module)}: {json.dumps(names)}" for module, names in table["gone"].items()
    ]
    head = json.dumps({key: value for key, value in table.items() if key != "gone"})
    return head[:-1] + ',\n "gone": {\n' + ",\n".join(rows) + "\n }\n}\n"
