"""``fixbook diagnose --report``: a report of a log, with what is known of this machine."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from fixbook.cli.env_lines import told
from fixbook.log.report import Surroundings, report_of
from fixbook.log.words import words_of
from fixbook.machine.report import flat, names_hidden, report
from fixbook.repository import issue_address
from fixbook.text import _, printable, printable_json

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fixbook.log.diagnosis import Diagnosis
    from fixbook.log.scanned import Scan
    from fixbook.text import Lang

_HARDWARE = ("System", "GPUs", "CUDA", "Memory")  # lines of `fixbook env`


def say_report(
    answer: dict[str, Any],
    diagnosis: Diagnosis,
    scans: Sequence[Scan],
    lang: Lang,
    *,
    as_json: bool,
) -> None:
    """Print a report of a log, and where it can be sent.

    Args:
        answer: What was answered.
        diagnosis: What it was made from.
        scans: The logs.
        lang: The language of what is not the log's.
        as_json: Print it as data.
    """
    made = report_of(answer, diagnosis, scans, _surroundings(lang), lang)
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
    lines = [f"{_(name)}{colon}{said}" for name in _HARDWARE if (said := told(values, name))]
    return Surroundings(told(values, "Packages"), "\n".join(lines), names_hidden())
