"""How plainly a page is written: how long its sentences are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fixbook.gates.sentences import paragraphs, sentences
from fixbook.text import _
from generator.text.page_text import length

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fixbook.book import Entry, Text
    from fixbook.text import Lang

MOST_OF_A_SENTENCE = {"en": 15.0, "zh": 30.0}  # words; Han characters and words, on average


def open_texts(entry: Entry) -> Iterator[Text]:
    """Yield the texts that an article shows without a fold."""
    first = entry.fixes[0]
    yield from (entry.summary, first.text)
    if first.trade_off:
        yield first.trade_off
    yield from (entry.symptom, entry.detect.text, entry.cause, entry.claims[0].text)


def average_sentence(entry: Entry, lang: Lang) -> float:
    """Return how long a sentence of the open texts is on average.

    Args:
        entry: The entry.
        lang: In words; in Chinese in Han characters and other words.
    """
    found = [
        length(sentence, lang)
        for text in open_texts(entry)
        for paragraph in paragraphs(text.of(lang))
        for sentence in sentences(paragraph, lang)
    ]
    return sum(found) / max(1, len(found))


def too_winding(entry: Entry, lang: Lang) -> str:
    """Say that sentences are too long on average; empty if they are not."""
    average, most = average_sentence(entry, lang), MOST_OF_A_SENTENCE[lang]
    if average <= most:
        return ""
    what = _(
        "its open sentences have {average:.1f} words on average, at most {most:.0f} are allowed"
    )
    return what.format(average=average, most=most)
