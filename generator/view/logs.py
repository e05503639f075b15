"""Find the line of a log that decides, and cut out what stands around it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from fixbook.log.diagnose import diagnose

if TYPE_CHECKING:
    from fixbook.log.diagnosis import Diagnosis, Match
    from fixbook.log.signatures import Index
    from generator.view.library import Dossier

_LEFT_OUT = "[…]"


@dataclass(frozen=True, slots=True)
class Excerpt:
    """A part of a log.

    Attributes:
        text: The part.
        line: 1-based number of the deciding line within it; 0 if no line decides.
        whole: True if nothing was left out.
    """

    text: str
    line: int = 0
    whole: bool = False


class LogReader:
    """Diagnoses logs with one index, and each log once."""

    def __init__(self, index: Index) -> None:
        self._index = index
        self._seen: dict[str, Diagnosis] = {}

    def decides(self, log: str, dossier: Dossier) -> Match | None:
        """Return the match that leads to this entry, or to a symptom it is a cause of."""
        shared = {symptom.id for symptom in dossier.entry.symptoms}
        for match in self._diagnosis(log).matches:
            if match.owner == dossier.slug or (not match.specific and match.owner in shared):
                return match
        return None

    def _diagnosis(self, log: str) -> Diagnosis:
        if log not in self._seen:
            self._seen[log] = diagnose(log, self._index)
        return self._seen[log]


def around(log: str, number: int, before: int, after: int) -> Excerpt:
    """Cut out the lines around one line.

    Args:
        log: The log.
        number: 1-based number of the line.
        before: Lines to keep above it.
        after: Lines to keep below it.
    """
    lines = log.rstrip().split("\n")
    start, end = max(0, number - 1 - before), min(len(lines), number + after)
    kept = _without_edges(lines, start, end, number - 1)
    shown = [line.rstrip() for line in lines[kept[0] : kept[1]]]
    return Excerpt("\n".join(shown), number - kept[0], whole=kept == (0, len(lines)))


def _without_edges(lines: list[str], start: int, end: int, keep: int) -> tuple[int, int]:
    """Drop lines at both ends that say nothing: empty ones, and a traceback's carets."""
    while start < keep and not lines[start].strip(" ^~"):
        start += 1
    while end > keep + 1 and not lines[end - 1].strip(" ^~"):
        end -= 1
    return start, end


def tail(log: str, count: int) -> Excerpt:
    """Return the last lines of a log that decide nothing."""
    lines = [line.rstrip() for line in log.rstrip().splitlines()]
    if len(lines) <= count:
        return Excerpt("\n".join(lines), whole=True)
    return Excerpt("\n".join([_LEFT_OUT, *lines[-count:]]))
