"""Tell words that somebody types from a piece of a log, for which nobody should guess."""

from __future__ import annotations

import re

MOST_QUESTION = 200  # characters
MOST_LINES = 3
# Of the end of an input: a question is shorter, and whatever is longer is a log.
MOST_BYTES = 64 * 1024
# What only programs write: times, ranks, stacks, addresses, and an exception with its text.
LOG_MARK = re.compile(
    r"Traceback \(most recent call last\)|\d\d:\d\d:\d\d|\[(?:rank|default)\d+\]|\bpid=\d+"
    r"|0x[0-9a-fA-F]{6,}|\b(?:[A-Za-z_]\w*\.)*[A-Za-z_]\w*(?:Error|Exception|Warning): \S",
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
    if len(asked) > MOST_QUESTION or asked.count("\n") >= MOST_LINES:
        return False
    return bool(asked) and not LOG_MARK.search(asked)
