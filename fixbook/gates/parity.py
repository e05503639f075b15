"""Both languages say the same: same code, links, measures, list items and headings."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from fixbook.gates.sentences import FENCE, paragraphs, prose, sentences
from fixbook.gates.texts import texts_of
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
_CODE = re.compile(r"``.+?``", re.DOTALL)  # of code that holds backticks
_WORD = re.compile(r"(?<![\w.:/=-])[a-z]{3,}(?![\w./(=-])", re.ASCII)
_FIGURE = re.compile(r"(?<![\w.])\d+(?:\.\d+)*(?!\w)")
_HAN = re.compile(r"[\u4e00-\u9fff]")


def both_languages(reading: Reading) -> Iterator[Problem]:
    """Check that the two texts of every field carry the same parts, in the right language."""
    for item in reading.entries:
        for key, text in texts_of(item.entry):
            where = item.source.where(key)
            name = ".".join(map(str, key))
            for what, mend in _differences(text, own=key != ("title",)):
                yield Problem(where, _("{where}: {what}").format(where=name, what=what), mend)
    for symptom_id, symptom in reading.book.symptoms.items():
        for key, text in texts_of(symptom):
            for what, mend in _differences(text, own=key != ("title",)):
                said = _("{where}: {what}").format(where=key[0], what=what)
                yield Problem(f"symptoms/{symptom_id}.yaml", said, mend)


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
    if _HAN.search(prose(text.en)):
        yield (
            _("the English text holds Chinese"),
            _("write it in English, or put a quotation in backticks"),
        )
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
