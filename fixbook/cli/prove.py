"""``fixbook prove SLUG``: all that must hold of an entry or a rule before it is published."""

from __future__ import annotations

import contextlib
import dataclasses
from typing import TYPE_CHECKING

import click
from click.core import ParameterSource

from fixbook.book import load_book
from fixbook.book_root import checkout
from fixbook.cli.options import lang_option
from fixbook.cli.problems import lines
from fixbook.cli.prove_parts import (
    Part,
    configurations,
    message_written,
    pages,
    recorded,
    steps,
    written,
)
from fixbook.cli.prove_rule import rule_of, rule_proven, rule_reported, rule_written
from fixbook.exits import DONE, FAILED
from fixbook.files import write_atomically
from fixbook.gates.one_language import Missing, missing_in
from fixbook.gates.reading import Reading
from fixbook.problem import BookError
from fixbook.recipe.record import load_evidence
from fixbook.style import StyleError, book_files, read_file
from fixbook.text import N_, _, ngettext

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from fixbook.book import Book
    from fixbook.text import Lang

    Works = list[tuple[str, Callable[[], Part]]]

_SHOWN = 8  # problems of one gate: a scaffold has dozens that are all alike


@click.command("prove")
@click.argument("slug")
@click.option("--no-run", is_flag=True, help=N_("Run no step: texts, records and pages only."))
@lang_option
@click.pass_context
def command(ctx: click.Context, slug: str, no_run: bool, lang: Lang) -> int:
    """Do everything that must hold of entry SLUG (or a rule, or a message), and say what is left.

    In this order: what is written; the steps whose record does not count, which are run and
    recorded; what rests on their record; configurations, against the tools they are for; the
    pages in both languages. Problems of other entries are not shown.

    With --lang one language is enough to propose an entry: what the other lacks is listed for those
    who keep the book.

    Of a rule: what is written; what is found in its two configurations; what its tool says of them.
    Of a message of several causes: what is written.
    """
    root = checkout()
    style = _write_style(root, slug)  # before lines are counted
    book = load_book(root, strict=False)
    if (root / "rules" / slug).is_dir():
        return _prove_rule(book, slug, style, no_run=no_run)
    if slug in book.symptoms:
        return _prove_message(book, slug, style)
    book.entries[slug] = book.get(slug)  # with its mistakes, line by line, if it cannot be read
    reading = Reading(book)
    works: Works = [
        (_("what is written"), lambda: written(reading, slug)),
        (_("the steps whose record does not count"), lambda: steps(ctx, slug, lang, no_run=no_run)),
        (_("what rests on the record"), lambda: recorded(reading, slug)),
        (_("configurations, against their tools"), lambda: configurations(book, slug)),
        (_("the pages in both languages"), lambda: pages(book.root, slug)),
    ]
    missing = _missing(ctx, book, slug, lang)
    parts = _work(slug, style, works, missing)
    if parts is None:
        return FAILED
    _say_missing(missing)
    said = _("{slug}: proven by {count} steps; {page}")
    said = said.format(slug=slug, count=_passed(book, slug), page=parts[-1].ending)
    click.echo(click.style(said, fg="green", bold=True))
    return DONE


def _prove_rule(book: Book, name: str, style: list[str], *, no_run: bool) -> int:
    rule = rule_of(book, name)
    works: Works = [
        (_("what is written"), lambda: rule_written(book, name)),
        (_("its two configurations"), lambda: rule_reported(rule)),
    ]
    if not no_run:
        works.append((_("what its tool says of them"), lambda: rule_proven(book.root, rule)))
    parts = _work(name, style, works, None)
    if parts is None:
        return FAILED
    said = "; ".join(filter(None, (_("nothing left"), parts[-1].ending)))
    click.echo(click.style(f"{name}: {said}", fg="green", bold=True))
    return DONE


def _prove_message(book: Book, name: str, style: list[str]) -> int:
    works: Works = [(_("what is written"), lambda: message_written(book, name))]
    if _work(name, style, works, None) is None:
        return FAILED
    click.echo(click.style(f"{name}: " + _("nothing left"), fg="green", bold=True))
    return DONE


def _work(name: str, style: list[str], works: Works, missing: Missing | None) -> list[Part] | None:
    """Do the parts one after the other and say what each found; None if something is left."""
    parts: list[Part] = []
    for note in style:
        click.echo(note)
    for title, work in works:
        click.echo(click.style(f"▸ {title}", bold=True))
        parts.append(_without(missing, work()))
        _say(parts[-1])
    left = sum(len(part.problems) for part in parts)
    if not left:
        return parts
    said = ngettext("{slug}: {count} thing left", "{slug}: {count} things left", left)
    click.echo(click.style(said.format(slug=name, count=left), fg="red", bold=True))
    return None


def _write_style(root: Path, slug: str) -> list[str]:
    """Write an entry or a rule in the book's style; what cannot be read is for the gates to say."""
    folders = (root / room / slug for room in ("recipes", "rules"))
    files = [path for folder in folders if folder.is_dir() for path in book_files(folder)]
    message = root / "symptoms" / f"{slug}.yaml"
    notes = []
    for path in [*files, *([message] if message.is_file() else [])]:
        with contextlib.suppress(StyleError, BookError):
            text, formatted = read_file(path)
            if formatted != text:
                write_atomically(path, formatted)
                notes.append(_("wrote {path} in the book's style").format(path=path.name))
    return notes


def _missing(ctx: click.Context, book: Book, slug: str, lang: Lang) -> Missing | None:
    """What the other language lacks, if one was asked for; else both are."""
    if ctx.get_parameter_source("lang") is not ParameterSource.COMMANDLINE:
        return None
    return missing_in("zh" if lang == "en" else "en", book.entries[slug].folder)


def _without(missing: Missing | None, part: Part) -> Part:
    if missing is None:
        return part
    left = [pair for pair in part.problems if not missing.explains(pair[1])]
    return dataclasses.replace(part, problems=left)


def _say_missing(missing: Missing | None) -> None:
    if missing and missing.places:
        said = _("left to those who keep the book, as it is not written in {lang} yet:")
        click.echo(said.format(lang=missing.lang))
        for place in missing.places:
            click.echo(f"  {place}")


def _say(part: Part) -> None:
    for line in [*lines(part.problems, _SHOWN), *part.notes]:
        click.echo(f"  {line}")


def _passed(book: Book, slug: str) -> int:
    """Count the steps that some machine has seen hold."""
    records = load_evidence(book.entries[slug]).values()
    steps = (pair for evidence in records for pair in evidence.steps.items())
    return len({name for name, record in steps if record.verdict == "passed"})
