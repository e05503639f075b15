"""Comments of the code that pages offer are Chinese on Chinese pages."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fixbook.problem import Problem
from fixbook.text import _

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fixbook.gates.reading import Reading

_COMMENT = re.compile(r"(?m)(?:^|\s)# (?P<text>.*\S)\s*$")
_WORD = re.compile(r"\b[a-z]{2,}\b")  # names of options and programs alone need no translation
_LANGUAGES = {"bash", "python", "yaml"}
_FEWEST = 2


def chinese_comments(reading: Reading) -> Iterator[Problem]:
    """Check that each comment of a snippet has its Chinese."""
    for item in reading.entries:
        for name, snippet in item.entry.snippets.items():
            if snippet.language not in _LANGUAGES:
                continue
            for text in english_comments(snippet.code):
                if text not in snippet.comments:
                    what = _("the comment '# {text}' has no Chinese").format(text=text)
                    mend = _("add it under 'comments' of the snippet, by its English text")
                    yield Problem(item.source.where(("snippets", name)), what, mend)


def english_comments(code: str) -> list[str]:
    """Return the comments of code that say something in English words."""
    found = (match["text"] for match in _COMMENT.finditer(code))
    return [text for text in found if len(_WORD.findall(text)) >= _FEWEST]
