"""``fixbook show NAME``: an article or the page of a shared message in the terminal."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import click

from fixbook.api.book import Book
from fixbook.article.markdown import as_markdown
from fixbook.cli.markdown import Terminal
from fixbook.cli.options import json_option, lang_option
from fixbook.cli.terminal import colours
from fixbook.text import printable, printable_json

if TYPE_CHECKING:
    from fixbook.text import Lang

_WIDTH = 100


@click.command("show")
@click.argument("name")
@lang_option
@json_option
def command(name: str, lang: Lang, as_json: bool) -> None:
    """Show entry NAME: what you see, what to do, why, and what does not help.

    NAME may also be a message that several failures share: it shows how to tell them apart.
    """
    page = Book().page(name, lang)
    if as_json:
        click.echo(printable_json(page))
        return
    width = min(_WIDTH, shutil.get_terminal_size().columns)
    terminal = Terminal(width, coloured=colours())
    click.echo(terminal.text(printable(as_markdown(page, lang))))
