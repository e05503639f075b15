"""No measured number is typed into a text: it comes from evidence, or it is a quotation."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fixbook.gates.texts import texts_of
from fixbook.problem import Problem
from fixbook.text import _

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fixbook.gates.reading import Reading

_EXEMPT = re.compile(
    r"(?ms)^```.*?^```\s*$|`[^`]*`|\{\{[^}]*\}\}|\]\([^)]*\)|“[^”]*”|「[^」]*」|\"[^\"]*\""
)
_FIGURE = re.compile(
    r"(?<![\w.])\d[\d.,]*\s*"
    r"(?:[KMGT]i?B\b|bytes?\b|字节|%|％|ms\b|s\b|seconds?\b|秒|minutes?\b|分钟|"
    r"times (?:as|more|less|faster)|×|倍|x\b)"
)
_COUNT = re.compile(
    r"(?<![\w.#])\d[\d,]*\s+(?:out\s+)?of\s+(?:the\s+)?\d+\b|"
    r"\b(?:a|an|one|two|three|\d+)[ -](?:fifth|sixth|seventh|eighth|ninth|tenth|twelfth|"
    r"sixteenth|twentieth|hundredth|thousandth)s?\b|"
    r"(?<![\w.#])\d+\s*(?:个|条|次|份|步|行|题)?[^\s，。；：\d]{0,4}[里中](?:的|有|对了?|答对)?\s*\d+(?![\d.])|"
    r"(?:[五六七八九十百千]|\d)分之|(?:答对|做对|猜对|猜中)了?\s*\d+",
    re.IGNORECASE,
)
# The same in words, of what was tried; "three of four conversations" may be the data of a step.
_NUMBERS = "two|three|four|five|six|seven|eight|nine|ten|twelve|twenty"
_TRIED = re.compile(
    rf"\b(?:none|one|half|{_NUMBERS})\s+(?:out\s+)?of\s+(?:the\s+)?(?:{_NUMBERS})\s+"
    r"(?:runs|tries|trials|times|attempts|prompts|questions|answers|cases|seeds|machines|models)\b|"
    r"[两二三四五六七八九十]\s*(?:次|题|回|轮)[^\s，。；：]{0,4}[里中][^\s，。；：]{0,2}[一两二三四五六七八九十]",
    re.IGNORECASE,
)


def typed_figures(reading: Reading) -> Iterator[Problem]:
    """Find numbers with units, and counts such as "3 of 4", that stand in prose."""
    for item in reading.entries:
        for key, text in texts_of(item.entry):
            for side in (text.zh, text.en):
                said = _EXEMPT.sub(" ␀ ", side)  # what is filled in is no part of a count
                figure = next(
                    filter(None, (one.search(said) for one in (_FIGURE, _COUNT, _TRIED))), None
                )
                if figure:
                    name = ".".join(map(str, key))
                    what = _("{name}: the figure {figure!r} is typed into the text")
                    what = what.format(name=name, figure=figure[0].strip())
                    mend = _(
                        "write {code} so that evidence fills it in; "
                        "quote a report's figure in “…” or 「…」, a setting in backticks"
                    )
                    mend = mend.format(code="{{step.measure}}")
                    yield Problem(item.source.where(key), what, mend)
