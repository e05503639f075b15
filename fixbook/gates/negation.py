"""What one language denies, the other does not affirm."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fixbook.gates.sentences import side_by_side
from fixbook.gates.texts import texts_of
from fixbook.problem import Problem
from fixbook.text import _

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fixbook.book import Text
    from fixbook.gates.reading import Reading

# A denied verb on one side wants some denial on the other, in whatever words.
_EN_DENIES = re.compile(
    r"\b(?:do|does|did|is|are|was|were|has|have|had|can|will|could|would|should|must|need)"
    r"(?:n['’]t| not\b(?! (?:only|just|alone|merely)))|\bcannot\b|\bnever\b|\bno longer\b",
    re.IGNORECASE,
)
_ZH_DENIES = re.compile(
    r"不[会能再报起抛崩]|不支持|不需要|不影响|不返回|不允许|不接受|不拒绝|并不|并没有|没有报|从不"
)
_EN_SOME = re.compile(
    r"\b(?:not|no|nor|never|nothing|none|neither|without|cannot|nobody|nowhere|unless|absent|"
    r"missing|only|alone|instead|rather|except|hardly|gone|less|least|beyond|merely|free|ignor\w+|"
    r"refus\w+|leav\w+|left|drop\w*|skip\w*|lack\w*|un\w+|avoid\w*|prevent\w*|silen\w+|stop\w*|"
    r"fail\w*|too|before|either|wherever|whatever|spares?|stays?)\b|n['’]t\b",
    re.IGNORECASE,
)
_ZH_SOME = re.compile(
    r"[不没未无非别勿免拒少缺空难反丢]|放行|忽略|照样|照常|以外|除|跳过|停|失效|失去|丢失|以前|之前|早于"
)

# What one is told not to do is told so outright; a denial elsewhere in the sentence says nothing.
_ZH_FORBIDS = re.compile(r"不要[^紧求]|不该|不应|别再|切勿")
_EN_FORBIDS = re.compile(
    r"\b(?:not|no|never|nothing|without|cannot|nor|instead|in place of|rather|avoid\w*|leave|ignore"
    r"|alone)\b|n['’]t\b",
    re.IGNORECASE,
)


def denials_agree(reading: Reading) -> Iterator[Problem]:
    """Find sentences that deny something in one language, and nothing in the other."""
    for item in reading.entries:
        for key, text in texts_of(item.entry):
            # A title is the message itself, of which each language quotes another part.
            for denial, sentence in _unlike(text) if key != ("title",) else ():
                what = _("{name}: {denial!r} is denied in one language only: {sentence!r}")
                what = what.format(
                    name=".".join(map(str, key)), denial=denial, sentence=sentence.strip()[:60]
                )
                mend = _("let both languages deny it, in plain words")
                yield Problem(item.source.where(key), what, mend)


def _unlike(text: Text) -> Iterator[tuple[str, str]]:
    for zh, en in side_by_side(text):
        said = _EN_DENIES.search(en)
        if said and said[0].lower() not in zh.lower() and not _ZH_SOME.search(zh):
            yield said[0], zh
        said = _ZH_DENIES.search(zh)
        if said and not _EN_SOME.search(en):
            yield said[0], en
            continue
        said = _ZH_FORBIDS.search(zh)
        if said and not _EN_FORBIDS.search(en):
            yield said[0], en
