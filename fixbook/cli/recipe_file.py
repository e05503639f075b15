"""``python recipe.py``: what `fixbook.recipe.main` becomes, with the options of ``fixbook run``."""

from __future__ import annotations

import dataclasses
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from fixbook.book import load_book, load_entry
from fixbook.cli import run_command
from fixbook.cli.run import Options, run_entry, run_options
from fixbook.index.build import index_of
from fixbook.index.cache import index_rows
from fixbook.log.signatures import index_from
from fixbook.text import _, choose, language_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fixbook.book import BookEntry
    from fixbook.log.signatures import Index


def main(file: Path, argv: Sequence[str]) -> int:
    """Run a recipe file.

    Args:
        file: The recipe; entry.yaml lies beside it.
        argv: Arguments after the program's name.

    Returns:
        The exit code.
    """
    folder = file.resolve().parent
    choose(language_of(argv))  # before its help is written

    @click.command(
        help=_("Run the steps of {slug}; see 'fixbook run --help'.").format(slug=folder.name),
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    @run_options
    def recipe(**given: Any) -> int:
        root = folder.parent.parent if folder.parent.name == "recipes" else None
        item = load_entry(folder)
        return run_entry(item, lambda: index_around(item, root), Options(**given))

    return run_command(recipe, list(argv), prog_name=_started_as(file))


def _started_as(file: Path) -> str:
    """Return how the recipe was started: with uv, there is no command ``fixbook``."""
    launcher = "uv run" if "UV_RUN_RECURSION_DEPTH" in os.environ else "python"
    near = file.is_relative_to(Path.cwd())
    return f"{launcher} {file.relative_to(Path.cwd()) if near else file}"


def index_around(item: BookEntry, root: Path | None) -> Index:
    """Compile the signatures of the book an entry is in.

    Args:
        item: The entry.
        root: The book; None for a folder that was copied elsewhere. The other entries, and the
            messages that entries share, are then those of the installed book; under another name
            than it has there, it is an entry of its own, beside which its original would be found.
    """
    if root:
        return index_from(index_rows(root))
    book = load_book(strict=False)
    others = book.entries if item.slug in book.entries else {}
    return index_of(dataclasses.replace(book, entries={**others, item.slug: item}))


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), sys.argv[2:]))
