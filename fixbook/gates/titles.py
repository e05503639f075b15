"""A title fits a line of a list, a tab and a search result; a summary fits what stands below it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fixbook.problem import Problem
from fixbook.text import LANGS, _

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fixbook.gates.reading import Reading

MOST = {"en": 70, "zh": 45}
MOST_OF_SUMMARY = 300


def short_titles(reading: Reading) -> Iterator[Problem]:
    """Check how many characters titles of entries and messages have, and summaries of entries."""
    for item in reading.entries:
        for lang in LANGS:
            for key, most in (("title", MOST[lang]), ("summary", MOST_OF_SUMMARY)):
                text = getattr(item.entry, key).of(lang)
                yield from _short(f"{key}.{lang}", text, most, item.source.where((key, lang)))
    for name, symptom in reading.book.symptoms.items():
        for lang in LANGS:  # the message itself is English in both
            where = str(reading.book.root / "symptoms" / f"{name}.yaml")
            yield from _short(f"title.{lang}", symptom.title.of(lang), MOST["en"], where)


def _short(key: str, text: str, most: int, where: str) -> Iterator[Problem]:
    if len(text) > most:
        what = _("{key} has {length} characters, at most {most} are allowed")
        what = what.format(key=key, length=len(text), most=most)
        mend = _("say the rest in 'summary'") if key.startswith("title") else _("say less in it")
        yield Problem(where, what, mend)
