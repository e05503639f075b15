"""The line that reads most like a failure, in a log that prints no exception."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fixbook.log.card import Card, versions_of
from fixbook.log.context import CONTEXT
from fixbook.log.normalise import LogLine, clean_line, parts_of
from fixbook.log.question import is_question
from fixbook.log.quoted import AGAIN, CODE, DATA
from fixbook.log.traceback import FRAME

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fixbook.log.scanned import Scan

# How failures are put that print no exception.
LIKELY = re.compile(
    r"\b(?:errors?|fail(?:ed|s|ure)?|cannot|can't|couldn't|could not|unable|unsupported|no such"
    r"|not (?:supported|found|available|implemented|set|allowed|compatible|defined|compiled|match)"
    r"|missing|invalid|illegal|unexpected|undefined|fatal|assert(?:ion)?|abort(?:ed)?|denied"
    r"|refused|expected|expects|must|mismatch|incompatible|exceed(?:s|ed)|too (?:large|small|old)"
    r"|hangs?|nan|crash(?:ed)?|killed|doesn't|does not|requires?d?|has no|overflow)\b",
    re.ASCII | re.IGNORECASE,
)
WARNING = re.compile(r"\b(?:\w*warning|warn|info|debug)\b", re.ASCII | re.IGNORECASE)
NAMED = re.compile(
    r"\b[a-z]\w*(?:Error|Exception)[ \"']?[:(]|\bwhat\(\): ", re.ASCII | re.IGNORECASE
)
# What stands beside any error or beside none: advice, notices, headings. `gates/trailers.yaml` has
# them whole, and a test that each is known here.
ASIDE = re.compile(
    r"""
    \s*(?:frame\ \#\d|Tip:\ |Hint:\ |NOTE:\ |Last\ error:\s*$
    | (?:CUDA|HIP)\ kernel\ errors\ might | Device-side\ assertion | Looking\ for\ device-side
    | No\ CUDA\ device-side | (?:\[PG\ [^\]]{1,200}\]\s*)?using\ GPU\ \d | Guessing\ device\ ID
    | Stack\ trace\ of\ the\ failed\ collective | UserWarning:\ Grad\ strides
    | In\ addition,\ you\ can\ set | Root\ Cause\ \(first | traceback\ :\ To\ enable
    | ncclInvalidUsage:\ This\ usually | At\ least\ one\ of\ the\ input\ arguments
    | There\ are\ some\ potential\ root\ causes | Setting\ (?:ds_)?accelerator\ to
    | Unable\ to\ find\ hostfile | (?:\[WARNING\]\s*)?(?:async_io|sparse_attn)\b
    | \d{1,9}\ pytorch\ allocator\ cache\ flushes | \d{1,6}\ validation\ errors?\ for\ \S
    | For\ further\ information\ visit | Token\ indices\ sequence\ length
    | Asking\ to\ (?:truncate|pad)\ to | The\ attention\ mask\ (?:and|is)\ | `use_cache=True`\ is
    | Detected\ kernel\ version | Capturing\ (?:the\ model\ for\ )?(?:cudagraphs|CUDA\ graphs?)
    | We\ must\ use\ the\ `spawn`
    | (?:\[deepspeed\]\s?)?OVERFLOW!\ | Gradient\ overflow\.)
    """,
    re.VERBOSE | re.ASCII,
)
# Where a log breaks off in a traceback, the last of its source lines says most.
RAISES = re.compile(r"\s*(?:raise|assert)\b", re.ASCII)
FEW_LINES = 3


def likely_of(scan: Scan) -> Card | None:
    """Return the line at the end of a log without exceptions that reads most like a failure."""
    tail = scan.tail[-CONTEXT:]
    first = scan.before + 1 + scan.tail.count(b"\n", 0, len(scan.tail) - len(tail))
    ending = tail.decode("utf-8", errors="replace")
    numbered = enumerate(ending.split("\n"), start=first)
    found: list[tuple[int, LogLine]] = []
    for number, text in numbered:
        for part in parts_of(text):
            cleaned, named = clean_line(part)
            if cleaned.strip() and number not in scan.quoted:
                line = LogLine(number, cleaned, scan.rank if named is None else named)
                found.append((likeness(cleaned), line))
    best = max((score for score, _ in found), default=0)
    if not found:
        return None
    line = next(line for score, line in reversed(found) if score == best)
    if not best:
        last = _broken_off([line for _, line in found])
        if last is None and (len(found) > FEW_LINES or is_question(ending)):
            return None
        line = last or line
    return Card(line, scan.source, certain=False, versions=versions_of(scan.head, tail, ()))


def _broken_off(lines: Sequence[LogLine]) -> LogLine | None:
    """The source line that raises, where a log ends with it or with what continues it."""
    for line in reversed(lines):
        if RAISES.match(line.text):
            return line
        if not line.text.startswith(" "):
            return None
    return None


def likeness(text: str) -> int:
    """How much a line reads like a failure, from 0 for one that does not to 3."""
    if FRAME.match(text) or ASIDE.match(text) or CODE.match(text) or DATA.search(text):
        return 0
    if NAMED.search(text):
        return 3
    if not LIKELY.search(text):
        return 0
    return 1 if WARNING.search(text) or AGAIN.search(text) else 2
