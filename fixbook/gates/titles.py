"""A title fits a line of a list, a tab and a search result; a summary fits what stands below it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fixbook.i18n import _
from fixbook.languages import LANGS
from fixbook.problem import Problem

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fixbook.gates.reading import Reading
    from fixbook.languages import Lang

MOST = {"en": 70, "zh": 45}
MOST_OF_SUMMARY = 300


def short_titles(reading: Reading) -> Iterator[Problem]:
    """Check how many characters titles of entries and messages have, and summaries of entries."""
    for item in reading.entries:
        for lang in LANGS:
            where = item.source.where(("title", lang))
            yield from _short(item.entry.title.of(lang), lang, MOST[lang], where)
            summary = item.entry.summary.of(lang)
            if len(summary) > MOST_OF_SUMMARY:
                what = _("summary.{lang} has {length} characters, at most {most} are allowed")
                what = what.format(lang=lang, length=len(summary), most=MOST_OF_SUMMARY)
                yield Problem(item.source.where(("summary", lang)), what, _("say less in it"))
    for name, symptom in reading.book.symptoms.items():
        for lang in LANGS:  # the message itself is English in both
            where = str(reading.book.root / "symptoms" / f"{name}.yaml")
            yield from _short(symptom.title.of(lang), lang, MOST["en"], where)


def _short(title: str, lang: Lang, most: int, where: str) -> Iterator[Problem]:
    if len(title) > most:
        what = _("title.{lang} has {length} characters, at most {most} are allowed")
        what = what.format(lang=lang, length=len(title), most=most)
        yield Problem(where, what, _("say the rest in 'summary'"))
