"""What the steps for a GPU need besides torch and transformers, and what Fixbook needs itself."""

from __future__ import annotations

import importlib.metadata
import tomllib
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from fixbook.recipe.reading import read_outline, with_libraries

if TYPE_CHECKING:
    from collections.abc import Iterable

    from fixbook.book import Book

# They have to fit the machine's driver and each other: the machine brings them.
_ITS_OWN = frozenset(
    {"torch", "transformers", "triton", "tokenizers", "huggingface-hub", "safetensors", "numpy"}
)


def libraries_of_gpu_steps(book: Book) -> list[str]:
    """Return the distributions that the book's GPU steps import, sorted, without the machine's own.

    Args:
        book: The book.

    Raises:
        BookError: A recipe cannot be read.
    """
    found: set[str] = set()
    for item in book.entries.values():
        outline = read_outline(item.recipe)
        steps = [step for step in outline.steps.values() if step.needs.on != "cpu"]
        for step in with_libraries(item, outline, steps):
            found |= {canonicalize_name(Requirement(text).name) for text in step.needs.packages}
    return sorted(name for name in found if not is_its_own(name))


def fixbook_requires() -> list[str]:
    """Return Fixbook's own requirements, without those of its extras."""
    project = Path(str(files("fixbook"))).parent / "pyproject.toml"
    if project.is_file():  # a checkout may have been installed when it required something else
        found: list[str] = tomllib.loads(project.read_text("utf-8"))["project"]["dependencies"]
        return found
    texts = importlib.metadata.requires("fixbook") or []
    return [text for text in texts if "extra ==" not in text]


def closure(roots: Iterable[str], python: str) -> dict[str, importlib.metadata.Distribution]:
    """Return distributions and all they need, as they are installed here, by canonical name.

    Args:
        roots: Requirements.
        python: Version of the Python they are for, such as ``3.12``.

    Returns:
        Those that are installed; what the machine brings itself is left out.
    """
    environment = {"python_version": python, "python_full_version": f"{python}.0", "extra": ""}
    found: dict[str, importlib.metadata.Distribution] = {}
    queue = list(roots)
    while queue:
        need = Requirement(queue.pop())
        name = canonicalize_name(need.name)
        applies = need.marker is None or need.marker.evaluate(environment)
        if name in found or is_its_own(name) or not applies:
            continue
        try:
            found[name] = importlib.metadata.distribution(name)
        except importlib.metadata.PackageNotFoundError:
            continue
        queue += found[name].requires or []
    return dict(sorted(found.items()))


def is_its_own(name: str) -> bool:
    """Tell whether a machine with a GPU brings this distribution itself."""
    return name in _ITS_OWN or name.startswith("nvidia-")
