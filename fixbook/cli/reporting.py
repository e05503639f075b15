"""``fixbook diagnose --report``: a report of a log, with what is known of this machine."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from fixbook.cli.env_lines import told as line_of
from fixbook.log.report import Surroundings, report_of
from fixbook.log.words import words_of
from fixbook.machine.report import flat, names_hidden, report
from fixbook.repository import issue_address
from fixbook.text import _, printable, printable_json

if TYPE_CHECKING:
    from fixbook.api.logs import Told
    from fixbook.text import Lang

_HARDWARE = ("System", "GPUs", "CUDA", "Memory")  # lines of `fixbook env`


def say_report(told: Told, lang: Lang, *, as_json: bool) -> None:
    """Print a report of a log, and where it can be sent.

    Args:
        told: What the log led to.
        lang: The language of what is not the log's.
        as_json: Print it as data.
    """
    made = report_of(told.answer, told.diagnosis, told.scans, _surroundings(lang), lang)
    fields = {name: printable(text) for name, text in made.fields.items()}
    body, address = printable(made.markdown(lang)), issue_address(made.form, made.title, fields)
    if as_json:
        data = {"title": made.title, "body": body, "address": address or None}
        click.echo(printable_json(data))
        return
    click.echo(body)
    if address:
        click.echo(_("Read it, correct it, then open:"), err=True)
        click.echo(address, err=True)
    else:
        click.echo(_("Read it and correct it before you send it."), err=True)


def _surroundings(lang: Lang) -> Surroundings:
    values = dict(flat(report()))
    colon = words_of(lang)["colon"]
    lines = [f"{_(name)}{colon}{said}" for name in _HARDWARE if (said := line_of(values, name))]
    return Surroundings(line_of(values, "Packages"), "\n".join(lines), names_hidden())
