"""``fixbook diagnose``: find the entry that explains a log."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from fixbook.api.logs import Reader
from fixbook.cli.options import json_option, lang_option
from fixbook.cli.weighing import Weighing
from fixbook.exits import DONE, NOT_RECOGNISED, ONLY_POSSIBLE
from fixbook.log.answer_text import as_text
from fixbook.text import printable_json

if TYPE_CHECKING:
    from fixbook.api.logs import Told
    from fixbook.text import Lang


@click.command("diagnose")
@click.argument("names", nargs=-1, metavar="[FILE|DIR|-]...")
@click.option("--top", type=click.IntRange(1, 50), default=3, show_default=True, help="Runner-ups.")
@click.option(
    "--report",
    is_flag=True,
    help="Print a redacted report to send to those who keep the book; nothing is sent.",
)
@lang_option
@json_option
def command(names: tuple[str, ...], top: int, report: bool, lang: Lang, as_json: bool) -> int:
    """Say which entry explains a log, or the folder of a run; several are taken as its ranks.

    Of a folder, what else a run leaves is read, too: trainer states, TensorBoard's event files,
    tables, checkpoints, dumps of the flight recorder.

    \b
    Exit codes:
      0  an entry explains it
      4  a message with several possible causes
      5  nothing was recognised
      2  a log could not be read
    """  # noqa: D301
    reader = Reader()
    told = reader.files(list(names) or ["-"], lang, top, Weighing())
    for note in told.notes:
        click.echo(note, err=True)
    if report:
        from fixbook.cli.reporting import say_report  # asks the machine, as no other answer does

        say_report(told, lang, as_json=as_json)
    elif as_json:
        click.echo(printable_json(reader.row(told, lang)))
    else:
        _say(told, reader, lang)
    return {"entry": DONE, "symptom": ONLY_POSSIBLE}.get(told.answer["kind"], NOT_RECOGNISED)


def _say(told: Told, reader: Reader, lang: Lang) -> None:
    run = told.answer.get("run")
    if told.answer["kind"] != "unknown" or told.scans or not run:
        click.echo(as_text(told.answer, lang))
    if told.unanswered and not run:
        from fixbook.log.unanswered import unanswered_lines  # of words alone

        click.echo("\n".join(unanswered_lines(told.unanswered, reader.rows, lang)))
    if run:
        from fixbook.run_files.answer_text import run_text  # of a folder alone

        click.echo(run_text(told.answer, lang))
