"""Both languages say the same: same code, links, measures, list items and headings."""

from __future__ import annotations

import re
from collections import Counter
from itertools import chain
from typing import TYPE_CHECKING

from fixbook.gates.sentences import FENCE, paragraphs, prose, sentences
from fixbook.gates.texts import texts_of_entries, texts_of_messages, texts_of_rules
from fixbook.problem import Problem
from fixbook.text import N_, _

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fixbook.book import Text
    from fixbook.gates.reading import Reading

_PARTS = {
    N_("code blocks"): re.compile(r"(?ms)^(?:```+|~~~+)[^\n]*\n(.*?)^(?:```+|~~~+)\s*$"),
    N_("links"): re.compile(r"\]\(([^)\s]+)\)|<(https?://[^>]+)>"),
    N_("measures"): re.compile(r"\{\{\s*([^}]+?)\s*\}\}"),
    N_("list items"): re.compile(r"(?m)^\s*(?:[-*]|\d+\.)\s"),
    N_("headings"): re.compile(r"(?m)^#{1,6}[^#\n]"),  # Markdown takes "#12 is" for one, too
    N_("tables"): re.compile(r"(?m)^\|?\s*:?-{3,}"),
    N_("code marks"): re.compile(r"(?<!`)`([^`\n]+)`(?!`)"),
    N_("paragraphs"): re.compile(r"(?:\A|\n[ \t]*\n)[ \t]*(?=\S)"),
}
_FOREIGN_WORDS = 12
# A title is the message itself; elsewhere, so many words are a text that was left in English.
_OWN_WORDS = 4
# So few are one, where they are not the command or the name that both languages call alike.
_SENTENCE = re.compile(
    r"\b(?:a|an|the|is|are|was|were|of|to|in|on|by|with|without|for|and|or|not|no|it|its|from|as|at)\b"
)
_CODE = re.compile(r"``.+?``", re.DOTALL)  # of code that holds backticks
_WORD = re.compile(r"(?<![\w.:/=-])[a-z]{3,}(?![\w./(=-])", re.ASCII)
_FIGURE = re.compile(r"(?<![\w.])\d+(?:\.\d+)*(?!\w)")
_HAN = re.compile(r"[\u4e00-\u9fff]")


def both_languages(reading: Reading) -> Iterator[Problem]:
    """Check that the two texts of every field carry the same parts, in the right language."""
    for where, key, text in chain(texts_of_entries(reading), texts_of_messages(reading)):
        name = ".".join(map(str, key))
        # A title is the message itself, and so is what a log says.
        own = key != ("title",) and key[-1] != "says"
        for what, mend in _differences(text, own=own):
            yield Problem(where, _("{where}: {what}").format(where=name, what=what), mend)
    for where, key, text in texts_of_rules(reading):  # its sentences need not run in step
        for what, mend in _of_another_language(text, own=True):
            said = _("{where}: {what}").format(where=".".join(map(str, key)), what=what)
            yield Problem(where, said, mend)


def _differences(text: Text, *, own: bool) -> Iterator[tuple[str, str]]:
    """Find what differs; ``own`` says that the words are the book's, and not a message's."""
    for part, pattern in _PARTS.items():
        zh, en = (_found(pattern, _outside_code(part, side)) for side in (text.zh, text.en))
        if zh != en:
            only = list((zh - en).elements()) + list((en - zh).elements())
            shown = (only[0].strip().splitlines() or [_("one more")])[0][:60]
            what = _("the two languages have different {part} ({shown!r})")
            yield what.format(part=_(part), shown=shown), _("carry the same in both texts")
    yield from _unlike_sentences(text)
    yield from _unlike_figures(text)
    yield from _of_another_language(text, own=own)


def _of_another_language(text: Text, *, own: bool) -> Iterator[tuple[str, str]]:
    if _HAN.search(prose(text.en)):
        yield (
            _("the English text holds Chinese"),
            _("write it in English, or put a quotation in backticks"),
        )
    if own and text.zh == text.en and _SENTENCE.search(prose(text.zh)) and not _HAN.search(text.zh):
        yield _("the Chinese text is the English one"), _("write it in Chinese")
        return
    spaces, words = prose(text.zh).count(" "), _WORD.findall(prose(_CODE.sub("", text.zh)))
    if (spaces > _FOREIGN_WORDS or (own and len(words) >= _OWN_WORDS)) and not _HAN.search(text.zh):
        yield _("the Chinese text is not Chinese"), _("write it in Chinese")


def _unlike_sentences(text: Text) -> Iterator[tuple[str, str]]:
    """A sentence that stands in one language alone changes what the page claims."""
    pairs = zip(paragraphs(text.zh), paragraphs(text.en), strict=False)
    for number, (zh, en) in enumerate(pairs, 1):
        counts = len(sentences(zh, "zh")), len(sentences(en, "en"))
        if counts[0] != counts[1]:
            what = _("paragraph {number} has {zh} sentences in Chinese, {en} in English")
            what = what.format(number=number, zh=counts[0], en=counts[1])
            yield what, _("say the same in both, sentence by sentence (；and ; do not end one)")


def _unlike_figures(text: Text) -> Iterator[tuple[str, str]]:
    zh, en = (set(_FIGURE.findall(prose(side))) for side in (text.zh, text.en))
    if zh != en:
        what = _("the figure {figure!r} stands in one language only")
        yield what.format(figure=min(zh ^ en)), _("write it in both, or in neither")


def _found(pattern: re.Pattern[str], text: str) -> Counter[str]:
    return Counter(
        next(filter(None, match.groups()), match[0]) if match.groups() else match[0].strip()[:1]
        for match in pattern.finditer(text)
    )


def _outside_code(part: str, text: str) -> str:
    return text if part == "code blocks" else FENCE.sub("", text)
