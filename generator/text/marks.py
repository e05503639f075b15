"""The marks of sentences that are less than proven, as pages show them: one small sign each.

Like the signs of markup (`generator.text.guard`), a mark goes through Markdown as a stand-in, and
is written as HTML at the very end. A stand-in knows its language, so that any pass can write it.
"""

from __future__ import annotations

import html
import re
from typing import TYPE_CHECKING

from fixbook.book import MARK, MARKS, MEANINGS, marks_in_words
from fixbook.text import LANGS, translator

if TYPE_CHECKING:
    from fixbook.text import Lang

SIGNS = {"read": "◇", "reported": "◌", "inferred": "≈", "not-run": "○"}
_FIRST = 0xE0F8  # of the private use area: in no font
_KINDS: dict[str, tuple[str, Lang]] = {
    chr(_FIRST + number): (kind, lang)
    for number, (kind, lang) in enumerate((kind, lang) for kind in MARKS for lang in LANGS)
}
_STAND_INS = {both: stand_in for stand_in, both in _KINDS.items()}
_ANY = re.compile(f"[{''.join(_KINDS)}]")


def stood_in(text: str, lang: Lang) -> str:
    """Return a text with a stand-in for each of its marks."""
    return MARK.sub(lambda mark: _STAND_INS[mark["kind"], lang], text)


def signs(page: str) -> str:
    """Write the stand-ins of a page as signs, which say what they mean to whoever asks or listens.

    Args:
        page: HTML.
    """
    return _ANY.sub(lambda found: _sign(*_KINDS[found[0]]), page)


def words(text: str) -> str:
    """Write the stand-ins of a text as words in brackets, where there is no HTML."""

    def said(found: re.Match[str]) -> str:
        kind, lang = _KINDS[found[0]]
        return marks_in_words(f"{{{{mark:{kind}}}}}", lang)

    return _ANY.sub(said, text)


def without(text: str) -> str:
    """Return a text without its stand-ins, for titles, attributes and searches."""
    return _ANY.sub("", text)


def legend(text: str) -> str:
    """Return what the signs of a page mean, as a line of Markdown; empty if it has none.

    Args:
        text: The page's Markdown, with stand-ins.
    """
    found = sorted({*_ANY.findall(text)}, key=list(_KINDS).index)
    if not found:
        return ""
    said = (f"{one} {translator(_KINDS[one][1])(MEANINGS[_KINDS[one][0]])}" for one in found)
    return " · ".join(said) + '\n{: .fb-legend data-search-exclude="" }\n'


def _sign(kind: str, lang: Lang) -> str:
    meaning = html.escape(translator(lang)(MEANINGS[kind]), quote=True)
    return (
        f'<span class="fb-mark" role="img" title="{meaning}" aria-label="{meaning}">'
        f"{SIGNS[kind]}</span>"
    )
