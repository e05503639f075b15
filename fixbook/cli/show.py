"""``fixbook show NAME``: an article or the page of a shared message in the terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click
from rich.console import Console
from rich.markdown import Markdown

from fixbook.book import SECTIONS, Fix, Targets, fenced, load_part, with_snippets
from fixbook.book_root import book_root
from fixbook.cli.options import json_option, lang_option
from fixbook.log.told import told
from fixbook.recipe.reading import read_outline
from fixbook.recipe.record import fill_entry, load_evidence, main_releases, ran_on, untested_advice
from fixbook.text import N_, printable_json, translator

if TYPE_CHECKING:
    from collections.abc import Container, Iterator, Mapping

    from fixbook.book import Book, BookEntry, Boundary, Entry, NonFix, Text
    from fixbook.recipe.reading import Outline
    from fixbook.recipe.record import Evidence
    from fixbook.text import Lang

_WIDTH = 100
_LEVELS = {
    "proven": N_("Proven by running it"),
    "upstream": N_("Stated upstream"),
    "inferred": N_("Inferred"),
    "unknown": N_("Not established"),
}


@click.command("show")
@click.argument("name")
@lang_option
@json_option
def command(name: str, lang: Lang, as_json: bool) -> None:
    """Show entry NAME: what you see, what to do, why, and what does not help.

    NAME may also be a message that several failures share: it shows how to tell them apart.
    """
    book = load_part(book_root(), name)
    symptom = book.symptoms.get(name)
    if as_json:
        shown = symptom or book.get(name).entry
        data = {"slug": name, **shown.model_dump(mode="json", by_alias=True)}
        click.echo(printable_json(data))
        return
    text = message(book, name, lang) if symptom else article(book.get(name), book, lang)
    console = Console()
    console.print(Markdown(text), width=min(_WIDTH, console.width))


def message(book: Book, name: str, lang: Lang) -> str:
    """Return the page of a shared message as Markdown: what it says, and its causes.

    Args:
        book: The book.
        name: Id of the message.
        lang: The language.
    """
    _ = translator(lang)
    symptom = book.symptoms[name]
    causes = (
        f"- **{item.entry.title.of(lang)}** (`{slug}`)\n\n  {shared.ask.of(lang)}"
        for slug, item in book.entries.items()
        if (shared := item.entry.shares(name))
    )
    title = f"# {symptom.title.of(lang)}\n\n*{symptom.summary.of(lang)}*"
    told_apart = _section(_("Which one is it?"), "\n".join(causes))
    text = told(Targets(book).linked(symptom.text.of(lang), lang), lang)
    return "\n\n".join(filter(None, (title, text, told_apart)))


def article(item: BookEntry, book: Book, lang: Lang) -> str:
    """Return the entry as Markdown for a terminal, its measures filled in.

    Args:
        item: The entry.
        book: The book, whose other pages it may name.
        lang: The language.

    Raises:
        BookError: A text names a measure that has no evidence.
    """
    outline, evidence = read_outline(item.recipe), load_evidence(item)
    filled = fill_entry(item.slug, item.entry, evidence, link=Targets(book, item.slug).linked)
    unseen = untested_advice(filled, outline, evidence)
    return "\n\n".join(
        filter(None, _parts(item.slug, filled, _ran(filled, outline, evidence, lang), unseen, lang))
    )


def _ran(entry: Entry, outline: Outline, evidence: Mapping[str, Evidence], lang: Lang) -> str:
    """Say what the steps of an entry ran on; nothing if none ran."""
    _ = translator(lang)
    named = [
        f"{one.package} {one.newest}"
        + (_(" and {count} earlier").format(count=one.earlier) if one.earlier else "")
        for one in main_releases(entry, ran_on(outline, evidence))
    ]
    return _("Its steps ran on: {releases}").format(releases=_(", ").join(named)) if named else ""


def _parts(slug: str, entry: Entry, ran: str, unseen: Container[str], lang: Lang) -> Iterator[str]:
    _ = translator(lang)

    def head(section: str) -> str:
        return _(SECTIONS[section])

    def text(both: Text) -> str:
        return with_snippets(told(both.of(lang), lang), entry.snippets, lang)

    def advice(one: Fix | NonFix) -> str:
        code = entry.snippets.get(one.snippet or "") if isinstance(one, Fix) else None
        parts = [f"### {one.title.of(lang)}", text(one.text), fenced(code, lang) if code else ""]
        if isinstance(one, Fix) and one.trade_off:
            parts.append("*" + _("Trade-off") + f":* {text(one.trade_off)}")
        return "\n\n".join(filter(None, parts))

    detect = entry.snippets.get(entry.detect.snippet or "")
    claims = (f"- *{_(_LEVELS[claim.level])}.* {text(claim.text)}" for claim in entry.claims)
    bounds = [
        f"- {row.package} {row.range}" + (f" → {row.fixed_in}" if row.fixed_in else "")
        for row in entry.affected or []
    ]
    bounds += [_boundary(row, lang) for row in entry.boundary]
    yield f"# {entry.title.of(lang)}\n\n*{entry.summary.of(lang)}*"
    yield ran
    yield _section(_("Fix now"), advice(entry.fixes[0]))
    yield _cases(entry, lang)
    yield _section(head("names"), _renamed(entry))
    yield _section(head("symptom"), text(entry.symptom))
    yield _section(head("detect"), text(entry.detect.text), fenced(detect, lang) if detect else "")
    not_this = "\n".join(f"- {text(one)}" for one in entry.not_this_if)
    yield "**" + _("It is not this if") + f"**\n\n{not_this}"
    yield _section(head("why"), text(entry.cause), "\n".join(claims))
    yield _section(head("fixes"), *map(advice, entry.fixes[1:]))
    refuted = [one for one in entry.non_fixes if one.id not in unseen]
    waiting = [one for one in entry.non_fixes if one.id in unseen]
    yield _section(head("non-fixes"), *map(advice, refuted))
    yield _section(_("Advice that has not been run yet"), *map(advice, waiting))
    twin = text(entry.silent_twin.text) if entry.silent_twin else ""
    yield _section(head("silent-twin"), twin)
    yield _section(_("Versions"), "\n".join(bounds))
    yield _section(_("Run it yourself"), f"```bash\nfixbook run {slug}\n```")
    yield _section(_("References"), "\n".join(f"- {r.title} <{r.url}>" for r in entry.references))


def _boundary(row: Boundary, lang: Lang) -> str:
    _ = translator(lang)
    sides = (
        (_("last good"), row.last_good),
        (_("first bad"), row.first_bad),
        (_("first fixed"), row.first_fixed),
    )
    said = _(", ").join(f"{name} {release}" for name, release in sides if release)
    note = f" {row.note.of(lang)}" if row.note else ""
    return f"- {row.package}: {said}{note}" + (
        f" [{_(row.sure)}]" if row.sure != "executed" else ""
    )


def _cases(entry: Entry, lang: Lang) -> str:
    """Return which fix is the one for which message, as a table; empty if the log does not tell."""
    _ = translator(lang)
    rows = [
        f"| {case.says.of(lang)} | {fix.title.of(lang)} |"
        for fix in entry.fixes
        for case in fix.when
    ]
    head = "| " + _("Your message shows") + " | " + _("Do this") + " |"
    return "\n".join([head, "| --- | --- |", *rows]) if rows else ""


def _renamed(entry: Entry) -> str:
    now = entry.names.now if entry.names else {}
    return "\n".join(f"- `{old}` → " + (f"`{new}`" if new else "—") for old, new in now.items())


def _section(title: str, *parts: str) -> str:
    """Return a section, or nothing if it is empty."""
    body = "\n\n".join(filter(None, parts))
    return f"## {title}\n\n{body}" if body else ""
