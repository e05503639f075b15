"""Sentences that are recorded in English and shown in the language of their reader.

Why a step failed or was skipped goes into evidence, where it must not depend on who ran it. So the
text is the English one, and remembers what it was made of until it is shown.
"""

from __future__ import annotations

from functools import reduce
from typing import TYPE_CHECKING

from fixbook.text.i18n import translator

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from fixbook.text.languages import Lang


class Sentence(str):
    """An English sentence that can be said in another language.

    Attributes:
        template: The message of the catalogue.
        values: What its placeholders stand for; a sentence among them is translated, too.
    """

    __slots__ = ("template", "values")

    template: str
    values: Mapping[str, object]

    def of(self, lang: Lang) -> str:
        """Return the sentence in a language."""
        values = {
            name: value.of(lang) if isinstance(value, Sentence) else value
            for name, value in self.values.items()
        }
        return translator(lang)(self.template).format(**values)


def say(template: str, /, **values: object) -> Sentence:
    """Make a sentence from a message and the values of its placeholders."""
    spoken = Sentence(template.format(**values))
    spoken.template, spoken.values = template, values
    return spoken


def joined(sentences: Iterable[str]) -> Sentence:
    """Join sentences into one; there is at least one of them."""
    every = map(quote, sentences)
    return reduce(lambda one, more: say("{one}; {more}", one=one, more=more), every)


def quote(text: str) -> Sentence:
    """Return a text of which only the words are known, such as a log's, as a sentence.

    In another language than English it stands in quotation marks.
    """
    return text if isinstance(text, Sentence) else say("{quoted}", quoted=text)


def in_language(text: str, lang: Lang) -> str:
    """Return a sentence, or a text that was recorded as one, as it is shown in a language."""
    return quote(text).of(lang)
