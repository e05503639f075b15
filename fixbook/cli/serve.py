"""``fixbook serve``: the site of an archive, on a machine without a network."""

from __future__ import annotations

from pathlib import Path

import click

from fixbook.exits import DONE


@click.command("serve")
@click.argument("path", type=click.Path(path_type=Path), metavar="ARCHIVE")
@click.option(
    "--port",
    default=8000,
    show_default=True,
    type=click.IntRange(0, 65535),
    help="Port on this machine; 0 for any free one.",
)
@click.option("--no-browser", is_flag=True, help="Only print the address.")
def command(path: Path, port: int, *, no_browser: bool) -> int:
    """Show the site in ARCHIVE, which 'make archive' packs, on this machine alone.

    The whole book is in it: pages, search, diagnosis and checks work without a network. Where
    fixbook is not installed, 'python ARCHIVE' does the same.
    """
    from fixbook.bundle.archive import Archive, ArchiveError, show

    try:
        show(Archive(path), port, browser=not no_browser)
    except ArchiveError as error:
        raise click.UsageError(str(error)) from None
    return DONE
