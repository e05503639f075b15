"""``fixbook search``: find entries and messages by words."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import click

from fixbook.book_root import book_root
from fixbook.cli.options import SCHEMA_VERSION, json_option, lang_option
from fixbook.exits import DONE, NOT_RECOGNISED
from fixbook.index.cache import index_rows
from fixbook.log.finder import MOST_FOUND, Finder
from fixbook.log.unanswered import unanswered_lines, unanswered_row
from fixbook.log.words import words_of
from fixbook.text import N_, printable_json, translator

if TYPE_CHECKING:
    from fixbook.log.finder import Found
    from fixbook.text import Lang

_HOW = {
    "specific": N_("recognised"),
    "message": N_("a message with several causes"),
    "possible": N_("a possible cause"),
    "near": N_("by words"),
}


_NUMBER = re.compile(r"-\d+", re.ASCII)


class _Words(click.Command):
    """Takes a negative number for a word, as in ``exitcode -9``."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        ctx.ignore_unknown_options = any(_NUMBER.fullmatch(one) for one in args)
        return super().parse_args(ctx, args)


@click.command("search", cls=_Words)
@click.argument("words", nargs=-1, required=True, metavar="WORDS...")
@click.option(
    "--top",
    type=click.IntRange(1, 50),
    default=MOST_FOUND,
    show_default=True,
    help="Results at most.",
)
@lang_option
@json_option
def command(words: tuple[str, ...], top: int, lang: Lang, as_json: bool) -> int:
    """Find entries and messages by WORDS, in Chinese or English; logs are for diagnose.

    \b
    Exit codes:
      0  something was found
      5  nothing in the book fits
    """  # noqa: D301
    text = " ".join(words)
    rows = index_rows(book_root())
    finder = Finder(rows)
    found = [_row(one, rows, lang) for one in finder.find(text, top)]
    said = None if found else finder.unanswered(text)
    if as_json:
        answer: dict[str, Any] = {"schema_version": SCHEMA_VERSION, "query": text}
        answer |= {"results": found, "entries": len(rows["fixes"])}
        answer |= unanswered_row(said, rows, lang)
        click.echo(printable_json(answer))
    elif found:
        _print(found, lang)
    else:
        click.echo(words_of(lang)["not_yet"].format(entries=len(rows["fixes"])))
        click.echo("\n".join(unanswered_lines(said, rows, lang)) if said else _log(lang))
    return DONE if found else NOT_RECOGNISED


def _row(found: Found, rows: dict[str, Any], lang: Lang) -> dict[str, str]:
    key = "symptom" if found.name in rows["causes"] else "slug"
    card = rows["titles"][found.name]
    named = {key: found.name, "title": card["title"][lang], "summary": card["summary"][lang]}
    return named | {"how": found.how}


def _print(found: list[dict[str, str]], lang: Lang) -> None:
    _ = translator(lang)
    for one in found:
        name = one.get("slug") or one["symptom"]
        click.echo(f"{click.style(one['title'], bold=True)}  [{name}]")
        click.echo(f"  {click.style(_(_HOW[one['how']]), dim=True)}")
        click.echo(f"  {one['summary']}")


def _log(lang: Lang) -> str:
    return translator(lang)("This is a piece of a log: give the whole log to fixbook diagnose.")
