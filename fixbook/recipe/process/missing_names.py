"""Import a recipe's modules though a release lacks a name: it costs the steps that come to it.

A module of a recipe serves many steps, and imports for all of them at its beginning. On a release
that lacks one name, what that name was bound to raises the same ImportError where it is first used.
Standard library only: this runs inside every step's process.
"""

from __future__ import annotations
import __future__

import ast
import importlib.machinery
import importlib.util
import sys
from typing import TYPE_CHECKING, Any, NoReturn

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path
    from types import ModuleType

_LACKS = (ImportError, AttributeError)


class AbsentNameError(BaseException):
    """A step has come to a name that could not be imported; no library's ``except`` swallows it.

    Attributes:
        error: What importing it raised.
    """

    def __init__(self, error: Exception) -> None:
        super().__init__(str(error))
        self.error = error


class Absent:
    """Stands for a name that could not be imported: whatever is done with it raises."""

    def __init__(self, error: Exception) -> None:
        object.__setattr__(self, "_error", error)

    def __getattribute__(self, name: str) -> NoReturn:
        raise AbsentNameError(object.__getattribute__(self, "_error"))

    def _use(self, *_: Any, **__: Any) -> NoReturn:
        raise AbsentNameError(object.__getattribute__(self, "_error"))

    __setattr__ = __call__ = __getitem__ = __iter__ = __len__ = __bool__ = __contains__ = _use
    __instancecheck__ = __subclasscheck__ = __mro_entries__ = __enter__ = __or__ = __ror__ = _use


class Finder:
    """Finds the modules of one recipe's folder; it stands in ``sys.meta_path``.

    Args:
        folder: The folder.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        """Return how to import a module; None for one that is not of the folder."""
        del target
        file = self._folder / f"{name}.py"
        return spec_of(name, file) if path is None and file.is_file() else None


def spec_of(name: str, file: Path) -> importlib.machinery.ModuleSpec | None:
    """Return how to import one file of a recipe.

    Args:
        name: The module's name.
        file: The file.
    """
    return importlib.util.spec_from_file_location(name, file, loader=_Loader(name, str(file)))


def find_in(folder: Path) -> None:
    """Let the modules of a recipe's folder be imported, before those of the same name elsewhere."""
    sys.path.insert(0, str(folder))  # as for a script
    last = sys.meta_path.index(importlib.machinery.PathFinder)
    sys.meta_path.insert(last, Finder(folder))


class _Loader(importlib.machinery.SourceFileLoader):
    def exec_module(self, module: ModuleType) -> None:
        """Execute a module, one statement at a time."""
        tree = ast.parse(self.get_data(self.path), self.path)
        flags = 0
        for statement in _one_name_each(tree.body):
            if isinstance(statement, ast.ImportFrom) and statement.module == "__future__":
                flags |= getattr(__future__, statement.names[0].name).compiler_flag
            part = ast.Module([statement], [])
            code = compile(part, self.path, "exec", flags=flags, dont_inherit=True)
            try:
                exec(code, vars(module))  # noqa: S102  (what importing a module is)
            except (*_LACKS, AbsentNameError) as error:
                names = _bound(statement)
                if not names:  # an effect: nobody can tell which steps need it
                    raise
                reason = error.error if isinstance(error, AbsentNameError) else error
                for name in names:
                    vars(module).setdefault(name, Absent(reason))


def _one_name_each(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """Split imports of several names: one that is absent takes no other with it."""
    for statement in body:
        if isinstance(statement, ast.Import | ast.ImportFrom):
            for alias in statement.names:
                yield ast.copy_location(_only(statement, alias), statement)
        else:
            yield statement


def _only(statement: ast.Import | ast.ImportFrom, alias: ast.alias) -> ast.stmt:
    if isinstance(statement, ast.Import):
        return ast.Import([alias])
    return ast.ImportFrom(statement.module, [alias], statement.level)


def _bound(statement: ast.stmt) -> list[str]:
    """Return the names that a statement binds; none for one that does more."""
    match statement:
        case ast.Import(names=[ast.alias(name=name, asname=alias)]):
            return [alias or name.partition(".")[0]]
        case ast.ImportFrom(names=[ast.alias(name=name, asname=alias)]):
            return [alias or name]
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            return [name]
        case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
            return [name]
    return []
