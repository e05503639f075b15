"""The text of a fix instructs by itself: an answer shows it to who has read nothing else."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fixbook.problem import Problem
from fixbook.text import LANGS, _

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fixbook.gates.reading import Reading

# Beginnings that go on from something said before, or tell of a run instead of what to do.
BEGINS = {
    "en": re.compile(
        r"(?:The same|It|They|This|That|These|Those|Then|Also|Or|And|But|So|Otherwise|Here|There"
        r"|Which|With it|Where it|Likewise)\b"
    ),
    "zh": re.compile(r"(?:同样|它|这|那|然后|再|也|或者|而且|但|所以|否则|于是|此时|还是)"),
}


def texts_instruct(reading: Reading) -> Iterator[Problem]:
    """Check that no text of a fix begins in the middle of something."""
    for item in reading.entries:
        for index, fix in enumerate(item.entry.fixes):
            for lang in LANGS:
                text = fix.text.of(lang)
                found = BEGINS[lang].match(text.lstrip())
                if found:
                    where = item.source.where(("fixes", index, "text", lang))
                    what = _("{lang} begins with {word!r}: who reads the fix alone is told nothing")
                    mend = _("begin with what to do, then say what was seen")
                    yield Problem(where, what.format(lang=lang, word=found[0]), mend)
