"""Tell words that somebody types from a piece of a log, for which nobody should guess."""

from __future__ import annotations

import re

MOST_QUESTION = 120  # characters
MOST_WORDS = 12
# Of the end of an input: a question is shorter, and whatever is longer is a log.
MOST_BYTES = 64 * 1024
# What only programs write: times, ranks, addresses, code that raises, a text after a colon, and
# what Python says without one.
LOG_MARK = re.compile(
    r"\d\d:\d\d:\d\d|\[(?:rank|default)\d+\]|\bpid=\d+|0x[0-9a-fA-F]{6,}"
    r"|(?:Error|Exception|Warning)\(|\b(?:assert|raise) |[\w\])] ?: +\S|\w\(\["
    r"|' object has no attribute '",
    re.ASCII,
)


def is_question(text: str) -> bool:
    """Tell whether a text is words to search for.

    Args:
        text: What was typed or pasted.

    Returns:
        False for a log, a traceback or a line of one: those are recognised or not, and what
        is near by words alone would mislead.
    """
    asked = text.strip()
    if len(asked) > MOST_QUESTION or not 0 < len(asked.split()) <= MOST_WORDS:
        return False
    return LOG_MARK.search(asked) is None
