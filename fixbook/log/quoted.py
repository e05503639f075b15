"""Text that quotes an error and reports none: source lines, training data, one attempt of several.

A run that trains on people's questions prints them, and they hold errors of all kinds.
"""

from __future__ import annotations

import re

# Source lines of tracebacks and warnings: what they raise was raised, or only might have been.
CODE = re.compile(
    r"\s*(?:raise\b|assert\b|return\b|except\b|warnings\.warn\(|logger\.\w{1,20}\("
    r"|[\w.]{1,80} = [\w.]{1,80}\(|[fr]{0,2}\"[^\"\n]{1,300}\"\)?$)",
    re.ASCII,
)
# Keys of a sample of training data, or of a request; what stands behind one is its text.
DATA = re.compile(
    r"['\"](?:role|messages|conversations?|prompt|chosen|rejected|instruction|completion|question"
    r"|answer|response|system)['\"]\s{0,8}:\s{0,8}['\"\[{]"
    r"|<\|im_start\|>|<\|start_header_id\|>|\[INST\]|<\|user\|>|<start_of_turn>"
    r"|^\s{0,8}\{['\"]text['\"]\s?:\s?['\"]"
    r"|^(?:(?:INFO|DEBUG)[ :]{1,3})?(?:User|USER|Human|HUMAN|Assistant|ASSISTANT|\u7528\u6237)"
    r" ?[:\uff1a] ",
    re.ASCII,
)
# What an HTTP client says of one attempt: others follow.
AGAIN = re.compile(
    r"\b(?:[Rr]etrying|[Ww]ill retry)\b|\b[Rr]etry \d{1,4}/\d{1,4}\b|ConnectionResetError\(\d",
    re.ASCII,
)
# Marks of chat templates around what somebody has written.
OPENED = re.compile(rb"<\|im_start\|>|<\|start_header_id\|>|\[INST\]|<\|user\|>|<start_of_turn>")
CLOSED = re.compile(rb"<\|im_end\|>|<\|eot_id\|>|\[/INST\]|<\|assistant\|>|<end_of_turn>")
# Bytes before and after a line in which its marks are looked for.
REACH = 4096


def in_data(text: str, start: int) -> bool:
    """Tell whether what begins at an offset of a line is text of a sample of data."""
    return DATA.search(text, 0, start) is not None


def in_chat(chunk: bytes, start: int) -> bool:
    """Tell whether a line of a chunk stands between the marks of a chat template.

    Args:
        chunk: Whole lines of a log.
        start: Where the line begins.
    """
    before = chunk[max(0, start - REACH) : start]
    opened = [found.end() for found in OPENED.finditer(before)]
    if not opened or CLOSED.search(before, opened[-1]):
        return False
    after = chunk[start : start + REACH]
    closed, reopened = CLOSED.search(after), OPENED.search(after)
    return closed is not None and (reopened is None or closed.start() < reopened.start())
