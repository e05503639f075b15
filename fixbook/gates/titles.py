"""A title fits a line of a list, a tab and a search result."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fixbook.i18n import _
from fixbook.languages import LANGS
from fixbook.problem import Problem

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fixbook.gates.reading import Reading

MOST = {"en": 70, "zh": 45}


def short_titles(reading: Reading) -> Iterator[Problem]:
    """Check how many characters the titles of entries have."""
    for item in reading.entries:
        for lang in LANGS:
            length = len(item.entry.title.of(lang))
            if length > MOST[lang]:
                what = _("title.{lang} has {length} characters, at most {most} are allowed")
                what = what.format(lang=lang, length=length, most=MOST[lang])
                yield Problem(
                    item.source.where(("title", lang)), what, _("say the rest in 'summary'")
                )
