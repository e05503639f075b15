"""``fixbook lint``: run the gates."""

from __future__ import annotations

from dataclasses import asdict

import click

from fixbook.book import load_book
from fixbook.cli.options import SCHEMA_VERSION, json_option
from fixbook.cli.problems import lines
from fixbook.exits import DONE, FAILED
from fixbook.gates import GATES
from fixbook.gates.one_entry import problems_of
from fixbook.gates.reading import Reading
from fixbook.text import N_, ngettext, printable_json


@click.command("lint")
@click.argument("slugs", nargs=-1, metavar="[SLUG]...")
@click.option(
    "--gate", "names", multiple=True, type=click.Choice(list(GATES)), help=N_("Only this gate.")
)
@json_option
def command(slugs: tuple[str, ...], names: tuple[str, ...], as_json: bool) -> int:
    """Check the whole book, or the given entries, against the gates; needs no torch."""
    book = load_book(strict=not slugs)  # a broken neighbour does not matter to named entries
    asked = names or tuple(GATES)
    reading = Reading(book)
    if slugs:
        items = {slug: book.get(slug) for slug in slugs}
        problems = [found for slug in items for found in problems_of(reading, slug, asked)]
    else:
        items = book.entries
        problems = [(name, problem) for name in asked for problem in GATES[name](reading)]
    if as_json:
        rows = [{"gate": name, **asdict(problem)} for name, problem in problems]
        click.echo(printable_json({"schema_version": SCHEMA_VERSION, "problems": rows}))
    else:
        for line in lines(problems):
            click.echo(line)
        said = ngettext(
            "{count} problem in {entries} entries, {gates} gates",
            "{count} problems in {entries} entries, {gates} gates",
            len(problems),
        )
        scope = {"entries": len(items), "gates": len(asked)}
        click.echo(said.format(count=len(problems), **scope), err=True)
    return FAILED if problems else DONE
