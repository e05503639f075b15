"""The libraries of a step: which of those its recipe declares it needs, and their versions."""

from __future__ import annotations

import dataclasses
import importlib.metadata
from typing import TYPE_CHECKING

from fixbook.environment import installed_version
from fixbook.recipe.reading.digest import entry_uses
from fixbook.versions import canonical_name, requirement

if TYPE_CHECKING:
    from collections.abc import Iterable

    from fixbook.book import BookEntry
    from fixbook.recipe.author.steps import Step
    from fixbook.recipe.reading.outline import Outline
    from fixbook.recipe.reading.uses import Uses

# Distributions that are imported under another name than their own.
_IMPORTED_AS = {
    "pyyaml": "yaml",
    "pillow": "PIL",
    "protobuf": "google",
    "ruamel-yaml": "ruamel",
    "scikit-learn": "sklearn",
    "opencv-python": "cv2",
    "flash-attn": "flash_attn",
}


def with_libraries(item: BookEntry, outline: Outline, steps: Iterable[Step]) -> list[Step]:
    """Let steps need the libraries they import, so that a missing one skips them and no others.

    Args:
        item: The entry.
        outline: Its recipe.
        steps: Steps of it.

    Raises:
        BookError: A Python file of the entry cannot be read.
    """
    uses = entry_uses(item, outline)
    return [_with(step, needed_distributions(outline, uses[step.name])) for step in steps]


def _with(step: Step, libraries: list[str]) -> Step:
    overlaid = {canonical_name(text.partition("==")[0]) for text in step.needs.versions}
    needed_here = [name for name in libraries if canonical_name(name) not in overlaid]
    packages = tuple(dict.fromkeys([*step.needs.packages, *needed_here]))
    return dataclasses.replace(step, needs=dataclasses.replace(step.needs, packages=packages))


def needed_distributions(outline: Outline, uses: Uses) -> list[str]:
    """Return the distributions without which a step cannot run, in the order of the header.

    What its file imports for other steps is not among them (see `absent`).

    Args:
        outline: The recipe.
        uses: What the step uses.
    """
    return _declared(outline, uses.imports)


def versions_for(outline: Outline, uses: Uses) -> dict[str, str]:
    """Return the installed versions that a step's outcome may depend on, by distribution.

    Those it imports, and of the other declared ones those that these build on.

    Args:
        outline: The recipe.
        uses: What the step uses.
    """
    declared = [need.name for need in outline.dependencies]
    found = dict.fromkeys(_declared(outline, uses.imports))
    queue = list(found)
    while queue:
        below = _requires(queue.pop())
        new = [name for name in declared if canonical_name(name) in below and name not in found]
        found |= dict.fromkeys(new)
        queue += new
    pairs = ((name, installed_version(name)) for name in sorted(found))
    return {name: version for name, version in pairs if version}


def _declared(outline: Outline, imports: Iterable[str]) -> list[str]:
    known = {name.lower() for name in imports}
    return [need.name for need in outline.dependencies if module_of(need.name) in known]


def module_of(distribution: str) -> str:
    """Return the module that a distribution is imported as, in lower case.

    Args:
        distribution: Its name.
    """
    name = canonical_name(distribution)
    return _IMPORTED_AS.get(name, name.replace("-", "_")).lower()


def distribution_of(module: str) -> str:
    """Return the distribution that a module comes with, as far as is known without it.

    Args:
        module: Its name at the top level.
    """
    known = {name.lower(): distribution for distribution, name in _IMPORTED_AS.items()}
    return known.get(module.lower(), module)


def _requires(distribution: str) -> set[str]:
    """Names of what a distribution builds on, its extras included."""
    try:
        texts = importlib.metadata.requires(distribution) or []
    except importlib.metadata.PackageNotFoundError:
        return set()
    names: set[str] = set()
    for text in texts:
        try:
            names.add(canonical_name(requirement(text).name))
        except ValueError:
            continue
    return names
