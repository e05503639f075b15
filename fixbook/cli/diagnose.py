"""``fixbook diagnose``: find the entry that explains a log."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from fixbook.book_root import book_root
from fixbook.cli.exits import DONE, NOT_RECOGNISED, ONLY_POSSIBLE
from fixbook.cli.options import json_option, lang_option
from fixbook.index.cache import index_rows
from fixbook.log.answer import answer_of
from fixbook.log.answer_text import as_text
from fixbook.log.diagnose import decide
from fixbook.log.finder import Finder
from fixbook.log.question import MOST_BYTES
from fixbook.log.reading import chunks_of, sources_of
from fixbook.log.redact import without_secrets
from fixbook.log.scan import scanner_for
from fixbook.log.unanswered import unanswered_lines, unanswered_row
from fixbook.text import printable_json

if TYPE_CHECKING:
    from fixbook.log.diagnosis import Diagnosis
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
    """Say which entry explains a log; several logs are taken as the ranks of one run.

    \b
    Exit codes:
      0  an entry explains it
      4  a message with several possible causes
      5  nothing was recognised
      2  a log could not be read
    """  # noqa: D301
    rows = index_rows(book_root())
    finder = Finder(rows)
    scanner = scanner_for(finder.index)
    notes: list[str] = []
    scans, tail = [], b""
    for source in sources_of(list(names) or ["-"]):
        kept = _Tail(chunks_of(source, notes))
        scans.append(scanner.scan(kept, source.name, source.rank))
        tail = kept.last or tail
    text = tail[-MOST_BYTES:].decode("utf-8", errors="replace")
    diagnosis = finder.by_words(decide(scans, finder.index), text)
    guesses = [] if diagnosis.best else finder.guesses(text, top)
    said = None if guesses or _explained(diagnosis) else finder.unanswered(text)
    if said:  # words are no line of a log, whatever they speak of
        diagnosis = replace(diagnosis, exception=None)
    answer = without_secrets(answer_of(diagnosis, rows, guesses, lang, top))
    for note in notes:
        click.echo(note, err=True)
    if report:
        from fixbook.cli.reporting import say_report  # asks the machine, as no other answer does

        say_report(answer, diagnosis, scans, lang, as_json=as_json)
    elif as_json:
        click.echo(printable_json(answer | unanswered_row(said, rows, lang)))
    else:
        click.echo(as_text(answer, lang))
        if said:
            click.echo("\n".join(unanswered_lines(said, rows, lang)))
    if diagnosis.best is None:
        return NOT_RECOGNISED
    return DONE if diagnosis.best.specific else ONLY_POSSIBLE


def _explained(diagnosis: Diagnosis) -> bool:
    card = diagnosis.exception
    return diagnosis.best is not None or (card is not None and card.certain)


class _Tail:
    """Passes chunks on and keeps the last one: what the run printed before it ended."""

    def __init__(self, chunks: Any) -> None:
        self._chunks = chunks
        self.last = b""

    def __iter__(self) -> Any:
        for chunk in self._chunks:
            self.last = chunk
            yield chunk
