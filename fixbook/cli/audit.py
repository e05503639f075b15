"""``fixbook audit``: what the installed or pinned releases are known for."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import click

from fixbook.book_root import book_root
from fixbook.cli.options import json_option, lang_option
from fixbook.exits import DONE, FAILED, UNUSABLE
from fixbook.index.cache import boundaries
from fixbook.installed.judge import audit
from fixbook.installed.output import as_json as report_as_json
from fixbook.installed.output import as_sarif, as_text
from fixbook.text import printable_json

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from fixbook.installed.inventory import Inventory
    from fixbook.problem import BookError
    from fixbook.text import Lang


@click.command("audit")
@click.argument("names", nargs=-1, metavar="[FILE|-]...")
@click.option(
    "--python", metavar="PYTHON", help="Look at the packages of this interpreter, which is started."
)
@click.option("--sarif", is_flag=True, help="Print SARIF 2.1.0.")
@lang_option
@json_option
def command(
    *, names: tuple[str, ...], python: str | None, sarif: bool, lang: Lang, as_json: bool
) -> int:
    """Name the failures that your releases of libraries are known for.

    Without a FILE: the packages of the Python that runs this. A FILE is a requirements.txt, what
    pip freeze or pip list printed (on another machine, in a container), or a lock of uv, Poetry,
    PDM, pip or Pipenv. Nothing in it is installed, and no index is asked.

    Only releases between which steps of the book, its authors' reading or upstream found a
    boundary are findings. That no step has run on your release is a count.

    \b
    Exit codes:
      0  no known defect was found; there may be changes that older code does not know
      1  a release has a known defect, and a later one is free of it
      2  a list could not be read
    """  # noqa: D301
    from fixbook.problem import BookError

    rows = boundaries(book_root())
    lists: list[Inventory] = []
    problems: list[BookError] = []
    for read in _sources(names, python):
        try:
            lists.append(read())
        except BookError as error:
            problems.append(error)
    audits = [audit(one, rows) for one in lists]
    if sarif or as_json:
        data = as_sarif(audits, lang) if sarif else report_as_json(audits, lang)
        click.echo(printable_json(data))
    else:
        click.echo("\n".join(as_text(audits, lang)))
    for problem in problems:
        click.echo(str(problem), err=True)
    if problems:
        return UNUSABLE
    return FAILED if any(one.defects for one in audits) else DONE


def _sources(names: tuple[str, ...], python: str | None) -> Iterator[Callable[[], Inventory]]:
    """Yield what reads each list: one that is wrong does not end the others."""
    from fixbook.installed import formats, inventory

    for name in dict.fromkeys(names):
        yield partial(formats.read_inventory, name)
    if python is not None:
        yield partial(inventory.environment_of, python)
    if python is None and not names:
        yield inventory.this_environment
