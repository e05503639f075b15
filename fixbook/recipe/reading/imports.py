"""Find what a recipe imports of the large libraries, without running it.

Nearly all the processor time of a short step is spent on these imports. Done once in a process
that steps are forked from, they cost a step nothing.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fixbook.recipe.reading.parsing import parse
from fixbook.recipe.reading.statements import one_by_one

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

# Importing these has no effect that a step could see but the time it takes, as far as is known.
_ROOTS = frozenset({
    "accelerate", "bitsandbytes", "datasets", "deepspeed", "liger_kernel", "numpy", "peft",
    "safetensors", "tokenizers", "torch", "transformers", "triton", "trl",
})  # fmt: skip
# What others of them import in any case makes no difference between two sets.
_IMPLIED = frozenset({"numpy", "safetensors", "tokenizers", "triton"})
# What these import by themselves, but only at the first optimizer, checkpoint or launch.
_LATE = {
    "deepspeed": ("import deepspeed.runtime.zero.muon.muon_optimizer",),
    "torch": ("import torch._dynamo", "import torch.distributed.run"),
}


@dataclass(frozen=True, slots=True)
class Imports:
    """The import statements of a recipe that are worth doing beforehand.

    Attributes:
        statements: As written, in the order of the files, each once.
        libraries: The top-level packages that tell one set of imports from another. Recipes with
            equal ``libraries`` share a process; none sees a library that it does not import.
        early: Those that importing one recipe file executes, whatever its step does.
    """

    statements: tuple[str, ...]
    libraries: frozenset[str]
    early: tuple[str, ...] = ()


def imports_of(folder: Path, first: str = "", recipe: Path | None = None) -> Imports:
    """Read the imports of all Python files of a recipe's folder.

    Args:
        folder: The folder of ``recipe.py``.
        first: A module in it that has to be imported before all libraries.
        recipe: The file of a step, for what is imported ``early``.

    Returns:
        Its imports; a file that cannot be parsed counts as having none.
    """
    statements = dict.fromkeys(_first(folder, first) if first else ())
    roots: set[str] = set()
    for path in sorted(folder.glob("*.py")):
        for root, statement in _worth_doing(path):
            statements[statement] = None
            roots.add(root)
    for root in sorted(roots & _LATE.keys()):
        statements |= dict.fromkeys(_LATE[root])
    own = {f"{folder.name}/{first}"} if first else set()
    early = _early(recipe, first) if recipe else ()
    return Imports(tuple(statements), frozenset((roots - _IMPLIED) | own), early)


def _early(recipe: Path, first: str) -> tuple[str, ...]:
    """Return the imports at the top of a file, and of the modules of its folder imported there."""
    statements = dict.fromkeys(_first(recipe.parent, first) if first else ())
    queue, seen = [recipe], {recipe}
    while queue:
        path = queue.pop()
        tree = _tree(path)
        for node in tree.body if tree else ():
            statements |= dict.fromkeys(statement for _root, statement in _large(node))
            names = [node.module] if isinstance(node, ast.ImportFrom) else []
            names += [one.name for one in node.names] if isinstance(node, ast.Import) else []
            beside = {recipe.parent / f"{name}.py" for name in names if name} - seen
            queue += [one for one in beside if one.is_file()]
            seen |= beside
    return tuple(statements)


def _first(folder: Path, module: str) -> Iterator[str]:
    yield f"import sys; sys.path.insert(0, {str(folder.resolve())!r})"
    yield f"import {module}"
    yield "import sys; del sys.path[0]"


def _worth_doing(path: Path) -> Iterator[tuple[str, str]]:
    """Yield package and statement of the imports of a file, those inside functions included."""
    tree = _tree(path)
    for node in ast.walk(tree) if tree else ():
        yield from _large(node)


def _tree(path: Path) -> ast.Module | None:
    """Return a file's syntax tree; None for one that cannot be parsed."""
    try:
        return parse(path.read_bytes())
    except (OSError, SyntaxError, ValueError):
        return None


def _large(node: ast.AST) -> Iterator[tuple[str, str]]:
    """Yield package and statement of one import, if it is of a large library."""
    match node:
        case ast.Import(names=names):
            for alias in names:
                root = alias.name.partition(".")[0]
                if root in _ROOTS:
                    yield root, f"import {alias.name}"
        case ast.ImportFrom(module=str(module), level=0):
            root = module.partition(".")[0]
            if root in _ROOTS:
                for single in one_by_one(node):  # a name that is absent takes no other with it
                    yield root, ast.unparse(single)
