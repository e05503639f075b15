"""What is before, or less, in one language is not after, or more, in the other."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING

from fixbook.gates.sentences import side_by_side
from fixbook.gates.texts import texts_of_entries, texts_of_messages, texts_of_rules
from fixbook.problem import Problem
from fixbook.text import _

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fixbook.gates.reading import Reading


@dataclass(frozen=True, slots=True)
class _Pair:
    """A sentence whose two languages say opposite things; all four have to hold.

    Attributes:
        en: What the English says.
        en_lacks: What would let it say what the Chinese says.
        zh: The opposite, in Chinese.
        zh_lacks: What would let the Chinese say what the English says.
    """

    en: re.Pattern[str]
    en_lacks: re.Pattern[str]
    zh: re.Pattern[str]
    zh_lacks: re.Pattern[str]

    def meets(self, zh: str, en: str) -> bool:
        """Tell whether the two sentences are opposites."""
        return bool(
            self.en.search(en)
            and self.zh.search(zh)
            and not self.en_lacks.search(en)
            and not self.zh_lacks.search(zh)
        )


def _pair(en: str, en_lacks: str, zh: str, zh_lacks: str) -> _Pair:
    said, lacks = (re.compile(rf"\b(?:{one})\b", re.IGNORECASE) for one in (en, en_lacks))
    return _Pair(said, lacks, re.compile(zh), re.compile(zh_lacks))


# Not one sentence of the book meets one of these.
_PAIRS = (
    _pair(
        "after",
        r"before\w*|until|ahead|earlier|first|previous\w*|prior|already|preced\w*|yet|start\w*",
        "之前|以前",
        "后|再|才|完|过|了",
    ),
    _pair(
        "(?<!as )(?<!than )before",
        r"after\w*|later|then|behind|since|once|when|follow\w*",
        "之后|以后",
        "前|先|早|未|没",
    ),
    _pair(
        "(?:more|larger|higher|greater|longer|bigger) than|above",
        "less|fewer|smaller|lower|below|shorter",
        "少|小于|低于|不到|不足|短于|以下",
        "多|大|高|长|超|上|至少|不",
    ),
    _pair(
        "(?:less|smaller|lower|fewer|shorter) than|below",
        r"more|greater|larger|higher|above|longer|under the|next|follow\w*",
        "大于|高于|多于|超过|长于|以上|多[一二两三]",
        "少|小|低|短|不|没|下",
    ),
)


def opposites_agree(reading: Reading) -> Iterator[Problem]:
    """Find sentences that say before, or more, in one language, and the opposite in the other."""
    every = (texts_of_entries(reading), texts_of_rules(reading), texts_of_messages(reading))
    for where, key, text in chain(*every):
        for zh, en in side_by_side(text):
            for pair in _PAIRS:
                if not pair.meets(zh, en):
                    continue
                said = [pair.en.search(en), pair.zh.search(zh)]
                words = [found[0] for found in said if found]
                what = _("{name}: {en!r} in English is {zh!r} in Chinese")
                what = what.format(name=".".join(map(str, key)), en=words[0], zh=words[1])
                yield Problem(where, what, _("say the same in both languages"))
