"""Put snippets where a text asks for them: a line ``{{snippet:id}}``."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fixbook.log.yours import NUMBER, place

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fixbook.book.parts import Snippet
    from fixbook.text import Lang

PLACED = re.compile(r"(?m)^(?P<indent> *)\{\{snippet:(?P<id>[a-z0-9-]+)\}\}[ ]*$")


def with_snippets(text: str, snippets: Mapping[str, Snippet], lang: Lang = "en") -> str:
    """Replace each placeholder by the snippet as a fenced block; unknown ones stay.

    Args:
        text: Markdown.
        snippets: The entry's snippets by id.
        lang: Language of their comments.
    """

    def block(match: re.Match[str]) -> str:
        snippet = snippets.get(match["id"])
        if snippet is None:
            return match[0]
        lines = fenced(snippet, lang).splitlines()
        return "\n".join((match["indent"] + line).rstrip() for line in lines)

    return PLACED.sub(block, text)


def fenced(snippet: Snippet, lang: Lang = "en") -> str:
    """Return a snippet as a fenced block of Markdown, whose fence no line of it ends."""
    code = snippet.code_in(lang)
    ticks = "`" * max([3, *(len(run) + 1 for run in re.findall("`{3,}", code))])
    return f"{ticks}{snippet.language}\n{code.rstrip()}\n{ticks}"


def with_places(code: str, fills: Mapping[str, str]) -> str:
    """Return code with a place for the reader's value instead of each literal that is his own.

    Args:
        code: As steps execute it.
        fills: Names of values by literal.
    """
    if not fills:
        return code
    literals = "|".join(re.escape(one) for one in sorted(fills, key=len, reverse=True))

    def placed(match: re.Match[str]) -> str:
        return place(fills[match[0]], number=NUMBER.fullmatch(match[0]) is not None)

    return re.sub(rf"(?<!\w)(?:{literals})(?!\w)", placed, code)
