"""What a step uses: the code it reaches, the files and snippets that code names, the libraries.

Found without running anything. Code that cannot be followed (a module handed around as a value, a
name made at run time) brings in the whole module: rather too much than too little.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fixbook.problem import BookError, Problem
from fixbook.recipe.reading.data_files import data_files
from fixbook.recipe.reading.modules import HELPER_FOLDER, Folder
from fixbook.recipe.reading.reach import Reach
from fixbook.text import _

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

_STEP_ONLY = ("decorator_list", "name", "returns")  # the step's decorator is known resolved


@dataclass(frozen=True, slots=True)
class Uses:
    """What one step uses.

    Attributes:
        code: The statements it reaches, in canonical form, in the order they are met.
        files: Files of the folder that the code names, other than followed Python modules.
        snippets: Ids of the entry's snippets it executes; all of them if an id is computed.
        imports: Top-level modules that the reached code imports; no standard library.
        started: Top-level modules that importing the step's file imports, whatever the step.
    """

    code: tuple[str, ...]
    files: tuple[Path, ...]
    snippets: tuple[str, ...]
    imports: frozenset[str]
    started: frozenset[str]


def uses_of(
    folder: Path, functions: Mapping[str, tuple[Path, str]], snippets: Mapping[str, str]
) -> dict[str, Uses]:
    """Find what each step of a recipe uses.

    Args:
        folder: The entry's folder.
        functions: File and name of the function of each step, by step name.
        snippets: Source of the entry's Python snippets by id, empty text for other languages.

    Raises:
        BookError: A Python file of the folder cannot be read.
    """
    try:
        state = (*_contents(folder), *_changes(HELPER_FOLDER))
        return dict(_followed(folder, tuple(functions.items()), tuple(snippets.items()), state))
    except (OSError, SyntaxError, ValueError) as error:
        where = getattr(error, "filename", None) or str(folder)
        what = _("a module of the recipe cannot be read: {reason}").format(reason=error)
        raise BookError([Problem(where, what, _("mend or remove the file"))]) from None


def _contents(folder: Path) -> Iterator[tuple[Path, bytes]]:
    for path in data_files(folder):
        yield path, path.read_bytes()


def _changes(folder: Path) -> Iterator[tuple[Path, int, int]]:
    for path in folder.rglob("*.py"):
        stat = path.stat()
        yield path, stat.st_mtime_ns, stat.st_size


@functools.lru_cache(maxsize=512)  # several gates ask the same of one state of a book
def _followed(
    folder: Path,
    functions: tuple[tuple[str, tuple[Path, str]], ...],
    texts: tuple[tuple[str, str], ...],
    _state: tuple[object, ...],
) -> Mapping[str, Uses]:
    reader, snippets = Folder(folder), dict(texts)
    files = {path for _step, (path, _name) in functions}
    started = {path: _started(reader, path, snippets) for path in files}
    return {
        name: _step_uses(reader, path, function, snippets, started[path])
        for name, (path, function) in functions
    }


def _started(folder: Folder, path: Path, snippets: Mapping[str, str]) -> frozenset[str]:
    reach = Reach(folder, snippets)
    reach.execute(folder.module(path))
    return frozenset(reach.imports)


def _step_uses(
    folder: Folder,
    path: Path,
    function: str,
    snippets: Mapping[str, str],
    started: frozenset[str],
) -> Uses:
    reach = Reach(folder, snippets)
    module = folder.module(path)
    for statement in module.bindings.get(function, []):
        reach.statement(module, statement, without=_STEP_ONLY)
    reach.effects(module)
    files = reach.follow_texts()
    return Uses(
        code=tuple(reach.code),
        files=tuple(files),
        snippets=tuple(sorted(reach.snippets)),
        imports=frozenset(reach.imports),
        started=started,
    )
