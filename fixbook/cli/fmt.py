"""``fixbook fmt``: write the book's YAML in its one style."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from fixbook.book_root import checkout
from fixbook.exits import DONE, FAILED
from fixbook.files import write_atomically
from fixbook.problem import BookError
from fixbook.style import StyleError, book_files, read_file
from fixbook.text import N_, _, ngettext

if TYPE_CHECKING:
    from collections.abc import Iterator


@click.command("fmt")
@click.argument("paths", nargs=-1, type=click.Path(exists=True, path_type=Path))
@click.option("--check", is_flag=True, help=N_("Write nothing; name the files that would change."))
def command(paths: tuple[Path, ...], check: bool) -> int:
    """Write entries, rules and messages in the book's one style.

    PATHS are files or folders of the book; without any, the whole book is written. Comments stay,
    and what is read from a file is what was read before.
    """
    changed, refused = 0, 0
    for path in _files(paths):
        try:
            text, formatted = read_file(path)
        except (StyleError, BookError) as error:
            refused += 1
            named = "" if isinstance(error, BookError) else f"{path}: "
            click.echo(f"{named}{error}", err=True)
            continue
        if formatted == text:
            continue
        changed += 1
        click.echo(_("{path}: not in the book's style").format(path=path) if check else str(path))
        if not check:
            write_atomically(path, formatted)
    if check and changed:
        click.echo(_("mend: run 'fixbook fmt'"))
    elif changed:
        said = ngettext("wrote {count} file", "wrote {count} files", changed)
        click.echo(said.format(count=changed))
    return FAILED if refused or (check and changed) else DONE


def _files(paths: tuple[Path, ...]) -> Iterator[Path]:
    for path in paths or (checkout(),):
        yield from book_files(path) if path.is_dir() else [path]
