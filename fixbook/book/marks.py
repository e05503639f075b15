"""Marks of sentences that are less than proven: ``{{mark:read}}`` at the end of one.

What no step shows is not said in words, but by one small mark: a sentence has none if it is proven.
Where one mark stands at the end of a paragraph, it is about the whole paragraph.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from fixbook.text import N_, translator

if TYPE_CHECKING:
    from fixbook.text import Lang

MARKS: Final = ("read", "reported", "inferred", "not-run")
# The blank before it is the mark's own: on a page its sign stands close to the word.
MARK = re.compile(rf"[ ]?\{{\{{mark:(?P<kind>{'|'.join(MARKS)})\}}\}}")
_WORDS = {
    "read": N_("read"),
    "reported": N_("reported"),
    "inferred": N_("inferred"),
    "not-run": N_("not executed"),
}
MEANINGS = {
    "read": N_("read in the source, not run"),
    "reported": N_("reported by others, not run here"),
    "inferred": N_("inferred from what was run"),
    "not-run": N_("not executed"),
}
_BRACKETS: Final[dict[Lang, str]] = {"zh": "〔{}〕", "en": " [{}]"}


def marks_in_words(text: str, lang: Lang) -> str:
    """Return a text with its marks as words in brackets, for a terminal or plain data.

    Args:
        text: Markdown.
        lang: Its language.
    """

    def words(mark: re.Match[str]) -> str:
        return _BRACKETS[lang].format(translator(lang)(_WORDS[mark["kind"]]))

    return MARK.sub(words, text)
