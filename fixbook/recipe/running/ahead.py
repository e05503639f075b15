"""Begin what takes longest of a run, before the entry and its records are read.

The imports of the first step take most of the time to its verdict, on a core of their own. What
they are, the recipe says: neither texts nor evidence have to be read for it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fixbook.recipe.reading.outline import read_outline
from fixbook.recipe.running.places import recipe_folder
from fixbook.recipe.running.start import begin, warm_parents

if TYPE_CHECKING:
    from pathlib import Path

    from fixbook.recipe.author.steps import Step
    from fixbook.recipe.running.warm_parents import WarmParents


def begun_early(folder: Path) -> WarmParents:
    """Return what the steps of an entry are forked from, which has begun to import for the first.

    Args:
        folder: The entry's.

    Raises:
        BookError: Its recipe cannot be read.
    """
    step = next(filter(_first, read_outline(folder / "recipe.py").steps.values()), None)
    parents = warm_parents(hurry=True)
    if step and not step.needs.env:  # variables of its own may cost it a process of its own
        begin(recipe_folder(folder) / step.file, step, parents)
    return parents


def _first(step: Step) -> bool:
    """Tell whether a step is of those that come first, and runs on the releases that are here."""
    return step.kind == "reproduce" and not step.needs.versions
