"""``fixbook adopt FILE``: judge the record of a reader, and put it beside its entry."""

from __future__ import annotations

from pathlib import Path

import click

from fixbook.book import load_book
from fixbook.book_root import checkout
from fixbook.exits import DONE, FAILED
from fixbook.index.build import index_of
from fixbook.recipe.reading import read_outline
from fixbook.recipe.record import adopt, objections, read_record
from fixbook.text import _, in_language, language


@click.command("adopt")
@click.argument(
    "files", nargs=-1, required=True, metavar="FILE...", type=click.Path(path_type=Path)
)
def command(files: tuple[Path, ...]) -> int:
    """Take over records that readers wrote with 'fixbook run SLUG --record-to FILE'.

    Each step is judged again by what the entry claims, and its seal and digest are checked. A
    record without objections is put under evidence/readers/ of its entry and shown as run by a
    reader; it never counts as evidence of the book.
    """
    book = load_book(checkout())
    index = index_of(book)
    refused = False
    for path in files:
        record = read_record(path)
        item = book.get(record.entry)
        outline = read_outline(item.recipe)
        wrong = list(objections(item, outline, record, index))
        for name, why in wrong:
            click.echo(f"{path}: {record.entry}/{name}: {in_language(why, language())}", err=True)
        refused = refused or bool(wrong)
        if not wrong:
            said = _("{count} steps of {slug}, as run by a reader: {path}")
            count = sum(one.verdict == "passed" for one in record.steps.values())
            place = adopt(item, record)
            click.echo(said.format(count=count, slug=item.slug, path=place))
    return FAILED if refused else DONE
