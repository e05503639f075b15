"""When a job began and ended: by its scheduler, by what its logs print, or by their files."""

from __future__ import annotations

import datetime as dt
import re
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from fixbook.log.scanned import Scan
    from fixbook.triage.listing import Log
    from fixbook.triage.scheduler import Meta

_STAMP = re.compile(rb"(?<!\d)(20\d\d-[01]\d-[0-3]\d)[T ]([0-2]\d:[0-5]\d:[0-5]\d)")
BACKWARDS = "its clock jumps backwards"


@dataclass(frozen=True, slots=True)
class Span:
    """When a job ran, in seconds since 1970.

    Attributes:
        start: Its beginning; None if unknown.
        end: Its end.
        known_from: What tells: ``scheduler``, ``log`` or ``file``.
        notes: What is odd about it.
    """

    start: float | None
    end: float | None
    known_from: str
    notes: tuple[str, ...] = ()


def span_of(meta: Meta, scans: Sequence[Scan], logs: Sequence[Log]) -> Span:
    """Tell when a job ran; a time that lies before its beginning is no end."""
    if meta.start is not None or meta.end is not None:
        return _checked(meta.start, meta.end, "scheduler")
    first = _first(sorted(_stamps(scan.head for scan in scans)))
    last = _first(sorted(_stamps(scan.tail for scan in scans), reverse=True))
    if first is not None or last is not None:
        return _checked(first, last, "log")
    changed = max((log.changed for log in logs if log.changed), default=None)
    return Span(None, changed, "file")


def _checked(start: float | None, end: float | None, known_from: str) -> Span:
    if start is not None and end is not None and end < start:
        return Span(start, None, known_from, (BACKWARDS,))
    return Span(start, end, known_from)


def _stamps(texts: Iterable[bytes]) -> set[tuple[bytes, bytes]]:
    """Days and times, of which each is said once: they sort as what they mean."""
    return {(found[1], found[2]) for text in texts for found in _STAMP.finditer(text)}


def _first(stamps: Iterable[tuple[bytes, bytes]]) -> float | None:
    for day, time in stamps:
        with suppress(ValueError):  # the thirtieth of February
            return dt.datetime.fromisoformat(f"{day.decode()}T{time.decode()}+00:00").timestamp()
    return None
