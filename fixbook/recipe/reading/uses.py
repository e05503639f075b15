"""What a step uses: the code it reaches, the files and snippets that code names, the libraries.

Found without running anything. Code that cannot be followed (a module handed around as a value, a
name made at run time) brings in the whole module: rather too much than too little.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from fixbook.problem import BookError, Problem
from fixbook.recipe.reading.modules import Folder
from fixbook.recipe.reading.reach import Reach
from fixbook.text import _

if TYPE_CHECKING:
    from collections.abc import Mapping
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
    reader = Folder(folder)
    try:
        files = {path for path, _name in functions.values()}
        started = {path: _started(reader, path, snippets) for path in files}
        return {
            name: _step_uses(reader, path, function, snippets, started[path])
            for name, (path, function) in functions.items()
        }
    except (OSError, SyntaxError, ValueError) as error:
        where = getattr(error, "filename", None) or str(folder)
        what = _("a module of the recipe cannot be read: {reason}").format(reason=error)
        raise BookError([Problem(where, what, _("mend or remove the file"))]) from None


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
