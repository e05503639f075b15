"""Begin a recipe that is run as a program, before its own imports: what they lack costs few steps.

A recipe imports this first. ``python recipe.py`` and ``uv run recipe.py`` then read the recipe
instead of executing it, as ``fixbook run`` does, and never come back to it.
"""

from __future__ import annotations

import sys
from pathlib import Path


def begin() -> None:
    """Run the program that was started, if that is a recipe beside its entry."""
    started: str = getattr(sys.modules["__main__"], "__file__", None) or ""
    file = Path(started)
    if file.name == "recipe.py" and file.with_name("entry.yaml").is_file():
        from fixbook.recipe import main  # noqa: PLC0415  (few who import this run it)

        main(started)


begin()
