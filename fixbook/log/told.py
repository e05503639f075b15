"""A text with links to pages of the book, as a terminal says it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fixbook.text import Lang

# A title may have brackets of its own, [[gpu]], or a single mark of code, `GLIBC_2.32'.
_LINK = re.compile(
    r"\[((?>`[^`\n]+`|\[(?>[^\[\]\n]|\[[^\[\]\n]*\])*+\]|[^\[\]\n])++)\]"
    r"\((?:symptoms/)?([a-z0-9-]+)/(#[a-z0-9-]+)?\)"
)
_TOLD = {"zh": "“{}”（fixbook show {}）", "en": "“{}” (fixbook show {})"}


def told(text: str, lang: Lang) -> str:
    """Return a text with its links as a terminal says them: the title, and how to see a page."""

    def say(link: re.Match[str]) -> str:
        title, name, anchor = link.groups()
        return title if anchor else _TOLD[lang].format(title, name)

    return _LINK.sub(say, text)
