"""Whether training goes on below a line: then the run did not end there.

Steps that are counted further say so: a progress bar, or lines with a step and a loss. A bar is
written at once, to where tracebacks go. Printed lines may be late, as Python keeps what it prints
to a file until there is enough of it; they are sure only if a clock stands in them, or if there are
more of them than it keeps.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fixbook.log.errors import ERROR
from fixbook.log.normalise import clean_line, parts_of
from fixbook.log.places import TIME
from fixbook.log.scanned import ERRORS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from fixbook.log.scanned import Hit, Scan
    from fixbook.log.signatures import Index

# A bar of training: those of loading and of preprocessing say what they are.
BAR = re.compile(
    r"(?:(?:[Tt]rain|[Ee]poch|[Ss]tep|[Ii]ter)[\w ./:=-]{0,60}?)?\s{0,8}\d{1,3}%\|[^|\n]{0,200}\|"
    r"\s{0,4}(?P<at>\d{1,9})/(?P<of>\d{1,9})\s\[\d",
    re.ASCII,
)
STEP = re.compile(
    r"\b(?:[Gg]lobal[ _])?(?:[Ss]tep|STEP|[Ii]ter(?:ation)?)s?['\"]?"
    r"\s{0,4}[:=\[#]?\s{0,8}(?P<at>\d{1,9})\b",
    re.ASCII,
)
EPOCH = re.compile(r"'epoch': '?(?P<at>\d{1,6}(?:\.\d{1,12})?)", re.ASCII)
# What stands beside the number of a step that was made.
MADE = re.compile(
    r"\b(?:loss|lr|learning_rate|grad_norm|tokens|samples|it/s|s/it)\b", re.ASCII | re.IGNORECASE
)
LEAST = 2  # times that a count rises
# Ranks print side by side, and one may be behind by as many steps.
BEHIND = 2
# Bytes that Python and C keep of what is printed to a file; as many may be printed late.
LATE = 16 * 1024


@dataclass(frozen=True, slots=True)
class GoesOn:
    """Steps that are counted below a line.

    Attributes:
        line: The last of them.
        sure: False where they may have been made before, and printed late.
    """

    line: int
    sure: bool


def goes_on_below(scan: Scan, number: int) -> GoesOn | None:
    """Return the steps that a log counts below a line; None where the run may have ended there.

    Args:
        scan: The log; only its end is read.
        number: The line.
    """
    lines = scan.tail.decode("utf-8", errors="replace").split("\n")
    first = max(0, number - scan.before)
    counts: dict[tuple[str, str, int | None], float] = {}
    rises: dict[tuple[str, str, int | None], int] = {}
    found: GoesOn | None = None
    size = 0
    for at, raw in enumerate(lines[first:], scan.before + first + 1):
        size += len(raw) + 1
        for kind, of, rank, value in _counted(raw):
            key = kind, of, rank
            last = counts.get(key)
            if last is not None and last - BEHIND <= value <= last:
                continue
            counts[key] = value
            rises[key] = rises.get(key, 0) + (last is not None and value > last)
            if rises[key] >= LEAST:
                live = kind == "bar" or size > LATE or TIME.search(raw.encode()) is not None
                found = GoesOn(at, live or (found is not None and found.sure))
    return found


class Below:
    """What is counted below the failures of some logs; each is looked for once.

    Args:
        scans: The logs of a run.
        index: The index they were scanned with.
        errors: The errors of each that nothing explains.
    """

    def __init__(
        self, scans: Sequence[Scan], index: Index, errors: Sequence[Sequence[Hit]]
    ) -> None:
        self._scans = {scan.source: scan for scan in reversed(scans)}
        self._errors = {hits[0].source: {hit.matcher for hit in hits} for hits in errors if hits}
        self._index = index
        self._known: dict[tuple[str, int], GoesOn | None] = {}

    def hits(self, hits: Sequence[Hit]) -> GoesOn | None:
        """Return what goes on below the last line of one entry's or message's hits.

        Args:
            hits: The hits; the log of the first one counts.
        """
        scan = self._scans[hits[0].source]
        jobs = {hit.matcher for hit in hits}
        return self._below(scan, max(scan.last.get(job, 0) for job in jobs))

    def got_over(self, hits: Sequence[Hit]) -> bool:
        """Tell whether a run went on for certain after an error, or after what ends runs."""
        ends = any(
            self._index.matchers[hit.matcher].secondary or ERROR.match(hit.line.text)
            for hit in hits
        )
        found = self.hits(hits) if ends else None
        return found is not None and found.sure

    def error(self, source: str) -> GoesOn | None:
        """Return what goes on below the last error of a log that nothing explains."""
        scan = self._scans[source]
        jobs = {ERRORS, *self._errors.get(source, ())}
        return self._below(scan, max(scan.last.get(job, 0) for job in jobs))

    def _below(self, scan: Scan, number: int) -> GoesOn | None:
        key = scan.source, number
        if key not in self._known:
            self._known[key] = goes_on_below(scan, number)
        return self._known[key]


def _counted(raw: str) -> Iterator[tuple[str, str, int | None, float]]:
    """Yield what a line counts: the kind, the number of steps in all, the rank and the count."""
    if not ("|" in raw or "step" in raw.lower() or "iter" in raw.lower() or "epoch" in raw):
        return
    for part in parts_of(raw):
        text, rank = clean_line(part)
        bar = BAR.match(text.strip())
        if bar:
            yield "bar", bar["of"], rank, float(bar["at"])
            continue
        made = MADE.search(text)
        step = STEP.search(text) or EPOCH.search(text) if made else None
        if step:
            yield "step", "", rank, float(step["at"])
