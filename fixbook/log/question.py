"""Tell words that somebody types from a piece of a log, for which nobody should guess."""

from __future__ import annotations

import re

MOST_QUESTION = 240  # characters
MOST_WORDS = 30
# Few words are searched for unless a program wrote them; of more, a person has to be heard.
FEW_WORDS = 12
# Of the end of an input: a question is shorter, and whatever is longer is a log.
MOST_BYTES = 64 * 1024
# What only programs write: times, ranks, addresses, code that raises, a text after a colon, and
# what Python says without one.
LOG_MARK = re.compile(
    r"\d\d:\d\d:\d\d|\[(?:rank|default)\d+\]|\bpid=\d+|0x[0-9a-fA-F]{6,}"
    r"|(?:Error|Exception|Warning)\(|(?:^|\n|  |> )(?:assert|raise) |[\w\])] ?: +\S|\w\(\["
    r"|' object has no attribute '",
    re.ASCII,
)
# What a person begins with before a colon, where a program names an error.
OPENING = re.compile(
    r"(?:question|help|issue|problem|bug"
    r"|请问|求助|问题|提问) ?[:：] *",
    re.ASCII | re.IGNORECASE,
)
# Who asks, or asks at all. Programs print no Chinese sentences, and do not say I.
ASKS = re.compile(
    r"\b(?:I|[Mm]y|[Ww]e|[Oo]ur|me|[Aa]nyone)\b|\?|？|[\u3400-\u9fff]{4}"
    r"|(?:^|[,;.] |\b(?:and|but|so|or) )"
    r"(?:[Hh]ow|[Ww]hy|[Ww]hat|[Ww]here|[Ww]hich|[Ww]hen|[Ss]ince|[Aa]fter|[Ii]s|[Aa]re|[Cc]an"
    r"|[Dd]oes|[Dd]id|[Ss]hould|[Cc]ould)\b",
    re.ASCII,
)
# How programs write: to somebody, in code, of files, as data; or one whole sentence of their own.
TELLS = re.compile(
    r"\b(?:[Yy]ou|[Yy]our|[Pp]lease)\b|[`<>{}]|^[^\w\u3400-\u9fff]|^\d+[./]|['\"]: |\w/\w+/|\n"
    r"|\.(?:py|cu|cc|cpp|h):\d|^[A-Z][^.]*(?:\.\w[^.]*)*\.$",
    re.ASCII,
)


def is_question(text: str) -> bool:
    """Tell whether a text is words to search for: a few, or a sentence that a person says.

    Args:
        text: What was typed or pasted.

    Returns:
        False for a log, a traceback or a line of one: those are recognised or not, and what
        is near by words alone would mislead.
    """
    asked = text.strip()
    if not asked or len(asked) > MOST_QUESTION:
        return False
    words = len(asked.split())
    said = asked[opening.end() :] if (opening := OPENING.match(asked)) else asked
    if words > MOST_WORDS or LOG_MARK.search(said):
        return False
    return words <= FEW_WORDS or not TELLS.search(asked) or ASKS.search(asked) is not None
