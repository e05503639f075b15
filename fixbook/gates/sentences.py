"""Texts as readers take them: paragraphs and sentences, without code, links and quotations."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fixbook.book import MARK

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fixbook.book import Text
    from fixbook.text import Lang

FENCE = re.compile(r"(?ms)^(?P<mark>```+|~~~+)[^\n]*\n(?P<code>.*?)^(?P=mark)\s*$")
_PLACED = re.compile(r"\{\{[^{}]*\}\}")
_STOPS: dict[Lang, re.Pattern[str]] = {
    "zh": re.compile(r"[。！？?!]+"),
    "en": re.compile(r"[.!?]+(?=[)\"”’*_\s]|\Z)"),
}
_ABBREVIATION = re.compile(r"\b(?:e\.g|i\.e|etc|vs|cf|approx)\.")


def paragraphs(text: str) -> list[str]:
    """Return the paragraphs and list items of a text, without code and quotations."""
    outside = _PLACED.sub("\n", MARK.sub("", FENCE.sub("\n", text)))
    parts = re.split(r"\n[ \t]*\n|\n(?=[ \t]*(?:[-*]|\d+\.) )", outside)
    return [prose(part).strip() for part in parts if part.strip()]


def sentences(paragraph: str, lang: Lang) -> list[str]:
    """Return the sentences of a paragraph; one that ends with a colon, or with nothing, too."""
    parts = _STOPS[lang].split(_ABBREVIATION.sub("", paragraph))
    return [part for part in parts if part.strip(' )）”」"*_')]


def side_by_side(text: Text) -> Iterator[tuple[str, str]]:
    """Yield each Chinese sentence with its English one, where both texts have the same."""
    for zh, en in zip(paragraphs(text.zh), paragraphs(text.en), strict=False):
        both = sentences(zh, "zh"), sentences(en, "en")
        if len(both[0]) == len(both[1]):
            yield from zip(*both, strict=True)


def prose(text: str) -> str:
    """Return a text without code, links and quotations."""
    text = FENCE.sub("", text)
    return re.sub(r"`[^`]*`|\]\([^)]*\)|“[^”]*”|「[^」]*」", "", text)
