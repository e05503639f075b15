"""``fixbook lint``: run the gates."""

from __future__ import annotations

import json
from dataclasses import asdict

import click

from fixbook.book import load_book
from fixbook.cli.exits import DONE, FAILED
from fixbook.cli.options import json_option
from fixbook.gates import GATES
from fixbook.i18n import N_, ngettext


@click.command("lint")
@click.option(
    "--gate", "names", multiple=True, type=click.Choice(list(GATES)), help=N_("Only this gate.")
)
@json_option
def command(names: tuple[str, ...], as_json: bool) -> int:
    """Check the whole book against its gates; needs no torch."""
    book = load_book()
    problems = [(name, p) for name in names or GATES for p in GATES[name](book)]
    if as_json:
        rows = [{"gate": name, **asdict(problem)} for name, problem in problems]
        click.echo(json.dumps(rows, ensure_ascii=False, indent=2))
    else:
        for name, problem in problems:
            click.echo(f"{click.style(f'[{name}]', fg='red')} {problem}")
        said = ngettext(
            "{count} problem in {entries} entries, {gates} gates",
            "{count} problems in {entries} entries, {gates} gates",
            len(problems),
        )
        scope = {"entries": len(book.entries), "gates": len(names or GATES)}
        click.echo(said.format(count=len(problems), **scope), err=True)
    return FAILED if problems else DONE
