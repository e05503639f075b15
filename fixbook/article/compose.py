"""Put together what a page says: entry and evidence, or a message and its causes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fixbook.article.change import changed_lines
from fixbook.article.data import (
    SCHEMA_VERSION,
    Advice,
    Article,
    Bound,
    Cause,
    Check,
    Code,
    Link,
    Message,
    Release,
    Statement,
)
from fixbook.book import Fix, Targets, with_snippets
from fixbook.recipe.reading import read_outline
from fixbook.recipe.record import fill_entry, load_evidence, main_releases, ran_on, untested_advice

if TYPE_CHECKING:
    from collections.abc import Container

    from fixbook.book import Book, BookEntry, Boundary, Entry, NonFix, Reference, Text
    from fixbook.text import Lang


def compose_article(item: BookEntry, book: Book, lang: Lang) -> Article:
    """Return the page of an entry.

    Args:
        item: The entry.
        book: The book, whose other pages it may name.
        lang: The language.

    Raises:
        BookError: A text names a measure that has no evidence.
    """
    outline, evidence = read_outline(item.recipe), load_evidence(item)
    entry = fill_entry(item.slug, item.entry, evidence, link=Targets(book, item.slug).linked)
    untried = untested_advice(entry, outline, evidence)
    page = _Page(item, entry, lang)
    releases = main_releases(entry, ran_on(outline, evidence))
    twin = entry.silent_twin
    return Article(
        schema_version=SCHEMA_VERSION,
        kind="entry",
        slug=item.slug,
        lang=lang,
        status=entry.status,
        title=entry.title.of(lang),
        summary=entry.summary.of(lang),
        categories=list(entry.categories),
        projects=list(entry.projects),
        ran_on=[Release(package=n, newest=new, earlier=count) for n, new, count in releases],
        devices=sorted({"cuda" if one.machine.gpus else "cpu" for one in evidence.values()}),
        verified=max((one.recorded for one in evidence.values()), default="")[:10] or None,
        fixes=[page.advice(one, untried) for one in entry.fixes],
        names=dict(entry.names.now) if entry.names else {},
        symptom=page.text(entry.symptom),
        check=Check(text=page.text(entry.detect.text), code=page.code(entry.detect.snippet)),
        not_this_if=[page.text(one) for one in entry.not_this_if],
        cause=page.text(entry.cause),
        statements=[Statement(level=one.level, text=page.text(one.text)) for one in entry.claims],
        non_fixes=[page.advice(one, untried) for one in entry.non_fixes],
        silent_twin=page.text(twin.text) if twin else None,
        boundary=[_bound(one, lang) for one in entry.boundary],
        references=[_link(one, lang) for one in entry.references],
    )


def compose_message(name: str, book: Book, lang: Lang) -> Message:
    """Return the page of a message that several failures share.

    Args:
        name: Id of the message.
        book: The book, with the entries that share it.
        lang: The language.
    """
    symptom = book.symptoms[name]
    return Message(
        schema_version=SCHEMA_VERSION,
        kind="message",
        slug=name,
        lang=lang,
        title=symptom.title.of(lang),
        summary=symptom.summary.of(lang),
        text=Targets(book).linked(symptom.text.of(lang), lang),
        causes=[
            Cause(slug=slug, title=item.entry.title.of(lang), ask=shared.ask.of(lang))
            for slug, item in book.entries.items()
            if (shared := item.entry.shares(name))
        ],
    )


class _Page:
    """The parts of an entry in one language, its measures filled in."""

    def __init__(self, item: BookEntry, entry: Entry, lang: Lang) -> None:
        self._item = item
        self._entry = entry
        self._lang = lang

    def text(self, both: Text) -> str:
        return with_snippets(both.of(self._lang), self._entry.snippets, self._lang)

    def code(self, name: str | None) -> Code | None:
        snippet = self._entry.snippets.get(name or "")
        if snippet is None:
            return None
        why_not = snippet.not_executed
        return Code(
            language=snippet.language,
            text=snippet.code_in(self._lang).rstrip(),
            not_executed=why_not.of(self._lang) if why_not else None,
        )

    def advice(self, one: Fix | NonFix, untried: Container[str]) -> Advice:
        fix = one if isinstance(one, Fix) else None
        return Advice(
            id=one.id,
            title=one.title.of(self._lang),
            text=self.text(one.text),
            code=self.code(fix.snippet) if fix else None,
            changes=[
                {"tool": change.tool, "version": change.version, "text": text}
                for change in (fix.config if fix else [])
                if (text := changed_lines(self._item.folder, change))
            ],
            trade_off=self.text(fix.trade_off) if fix and fix.trade_off else None,
            cases=[case.says.of(self._lang) for case in one.when],
            executed=one.id not in untried,
        )


def _bound(row: Boundary, lang: Lang) -> Bound:
    return Bound(
        package=row.package,
        last_good=row.last_good,
        first_bad=row.first_bad,
        first_fixed=row.first_fixed,
        sure=row.sure,
        began=row.began,
        note=row.note.of(lang) if row.note else None,
    )


def _link(reference: Reference, lang: Lang) -> Link:
    return Link(kind=reference.kind, title=reference.named(lang), url=reference.url)
