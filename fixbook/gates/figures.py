"""No measured number is typed into a text: it comes from evidence, or it is a quotation."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fixbook.gates.texts import texts_of
from fixbook.i18n import _
from fixbook.problem import Problem

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


def typed_figures(reading: Reading) -> Iterator[Problem]:
    """Find numbers with units that stand in prose."""
    for item in reading.entries:
        for key, text in texts_of(item.entry):
            for side in (text.zh, text.en):
                figure = _FIGURE.search(_EXEMPT.sub(" ", side))
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
