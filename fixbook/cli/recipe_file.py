"""``python recipe.py``: what `fixbook.recipe.main` becomes, with the options of ``fixbook run``."""

from __future__ import annotations

import dataclasses
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from fixbook.book import Book, load_book, load_entry
from fixbook.cli import run_command
from fixbook.cli.run import command as run
from fixbook.cli.run import run_entry
from fixbook.i18n import _, choose, language_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fixbook.entry import Lang


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
        params=[param for param in run.params if param.name != "slug"],
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    def recipe(
        names: tuple[str, ...],
        on: str | None,
        versions: str | None,
        warm: bool,
        lang: Lang,
        as_json: bool,
    ) -> int:
        book = book_around(folder)
        item = book.get(folder.name)
        return run_entry(book, item, names, on, versions, lang, warm=warm, as_json=as_json)

    return run_command(recipe, list(argv), prog_name=f"python {file.name}")


def book_around(folder: Path) -> Book:
    """Return the book an entry's folder is in; of one copied elsewhere, a book of that alone.

    The messages that entries share are then those of the installed book.

    Args:
        folder: The entry.

    Raises:
        BookError: The entry is broken.
    """
    if folder.parent.name == "recipes":
        return load_book(folder.parent.parent, strict=False)
    book = load_book(strict=False)
    return dataclasses.replace(book, entries={folder.name: load_entry(folder)})


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), sys.argv[2:]))
