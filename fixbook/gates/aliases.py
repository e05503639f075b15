"""Entries and messages are found by what people call them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fixbook.problem import Problem
from fixbook.text import LANGS, _

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fixbook.book import Aliases
    from fixbook.gates.reading import Reading
    from fixbook.log.finder import Finder

LEAST = 3
_TRIED = 3  # a name may be that of several pages, but one that is not among the first finds nothing


def aliases_lead_here(reading: Reading) -> Iterator[Problem]:
    """Check that every entry and message has aliases, and that each leads to it."""
    for item in reading.asked:
        where = item.source.where(("aliases",))
        yield from _wrong(item.slug, item.entry.aliases, where, reading.finder)
    for name, symptom in reading.book.symptoms.items():
        path = str(reading.book.root / "symptoms" / f"{name}.yaml")
        yield from _wrong(name, symptom.aliases, path, reading.finder)


def _wrong(name: str, aliases: Aliases, where: str, finder: Finder) -> Iterator[Problem]:
    for lang in LANGS:
        given: list[str] = getattr(aliases, lang)
        if len(given) < LEAST:
            what = _("aliases.{lang} has {count}, at least {least} are needed")
            mend = _("add what people type for it: short, colloquial, and no sentence")
            yield Problem(where, what.format(lang=lang, count=len(given), least=LEAST), mend)
        for alias in given:
            found = finder.ranked(alias)
            if name not in found[:_TRIED]:
                what = _("alias '{alias}' leads to {names}")
                names = ", ".join(found[:_TRIED]) or _("nothing")
                mend = _("say more in it, so that it tells this page from those")
                yield Problem(where, what.format(alias=alias, names=names), mend)
