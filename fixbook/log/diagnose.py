"""Decide which entry a log, or a set of per-rank logs, belongs to.

A specific signature beats a shared symptom. Among equals the earliest wins, because what fails
first is the cause and what fails later has only noticed: earliest in time where the logs carry
timestamps, else earliest in the log. A symptom that can only be a consequence (a watchdog
timeout) comes after, one that only echoes the end of another process (a closed connection) last:
ranks write side by side, so which of the two is printed first is chance.
"""

from __future__ import annotations

import operator
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fixbook.log.reading import CHUNK, whole_lines
from fixbook.log.scan import Hit, Scan, Scanner
from fixbook.log.second import second_scans

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fixbook.log.normalise import LogLine
    from fixbook.log.signatures import Index

MOST_UNKNOWN = 10
_SURROGATE = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Capture:
    """The value of a named group.

    Attributes:
        signature: Id of the signature whose group it is, and whose label tells what it means.
        name: Name of the group.
        value: What it matched.
    """

    signature: str
    name: str
    value: str


@dataclass(frozen=True, slots=True)
class Match:
    """One recognised entry or symptom: all that its patterns found in the logs of a run.

    Attributes:
        owner: Slug of the entry, or id of the symptom.
        signature: Id of the signature that matched.
        specific: True if ``owner`` is an entry.
        secondary: True for a symptom that only notices a failure elsewhere.
        echo: True for a symptom that only notices that another process has ended.
        line: The line that decided.
        source: Name of the log it stands in.
        captures: Values of named groups, at most one for each name.
        causes: For a symptom: slugs of the entries that share it.
        ranks: All ranks on which it was seen.
    """

    owner: str
    signature: str
    specific: bool
    secondary: bool
    echo: bool
    line: LogLine
    source: str = ""
    captures: tuple[Capture, ...] = ()
    causes: tuple[str, ...] = ()
    ranks: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Unknown:
    """An exception in the log that no pattern matched."""

    line: LogLine
    source: str


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """What a log was recognised as.

    Attributes:
        matches: Best first; empty if nothing matched.
        unknown: Exceptions that were not recognised, earliest first.
        lines: How many lines were read.
    """

    matches: tuple[Match, ...]
    unknown: tuple[Unknown, ...] = ()
    lines: int = 0

    @property
    def best(self) -> Match | None:
        """The first match, or None."""
        return self.matches[0] if self.matches else None

    def names(self, slug: str, symptom: str | None = None) -> bool:
        """Tell whether the first match is this entry, or a symptom with this entry as a cause.

        Args:
            slug: The entry.
            symptom: The symptom that is accepted in its place, if any.
        """
        best = self.best
        if best is None:
            return False
        if best.specific:
            return best.owner == slug
        return best.owner == symptom and slug in best.causes

    def hits(self, slug: str) -> bool:
        """Tell whether any specific signature of an entry matched."""
        return any(match.specific and match.owner == slug for match in self.matches)


def diagnose(text: str, index: Index) -> Diagnosis:
    """Recognise a log that is in memory.

    Args:
        text: The log.
        index: Compiled signatures.
    """
    data = _SURROGATE.sub("\ufffd", text).encode()
    parts = (data[start : start + CHUNK] for start in range(0, len(data), CHUNK))
    return decide([Scanner(index).scan(whole_lines(parts), "")], index)


def decide(scans: Sequence[Scan], index: Index) -> Diagnosis:
    """Put the scans of one or several logs of one run together.

    Where no entry was recognised, the ends of the logs are read once more, less strictly: an entry
    found there counts, a message only where there was none.

    Args:
        scans: One scan per log.
        index: The index they were scanned with.
    """
    first = _decided(scans, index)
    if first.matches and first.matches[0].specific:
        return first
    second = _decided(second_scans(scans, index), index)
    if first.matches:
        return second if second.matches and second.matches[0].specific else first
    return second if second.matches or not first.unknown else first


def _decided(scans: Sequence[Scan], index: Index) -> Diagnosis:
    found = set().union(*(scan.found for scan in scans))
    timed = all(hit.moment is not None for scan in scans for hit in (*scan.hits, *scan.errors))
    allowed = [
        (_when(hit, number, timed=timed), hit)
        for number, scan in enumerate(scans)
        for hit in scan.hits
        if found.issuperset(index.matchers[hit.matcher].context)
        and found.isdisjoint(index.matchers[hit.matcher].unless)
    ]
    allowed.sort(key=operator.itemgetter(0))
    by_owner: dict[tuple[bool, str], list[Hit]] = {}
    for _, hit in allowed:
        matcher = index.matchers[hit.matcher]
        by_owner.setdefault((matcher.specific, matcher.owner), []).append(hit)
    matches = [_match(hits, index) for hits in by_owner.values()]
    matches.sort(key=lambda match: (not match.specific, match.secondary, match.echo))
    lines = sum(scan.lines for scan in scans)
    return Diagnosis(tuple(matches), _unknown(scans, timed=timed), lines)


def _when(hit: Hit, number: int, *, timed: bool) -> tuple[float, int, int]:
    """Order of hits; times count only where every hit has one, or the clocks would not compare."""
    moment = hit.moment if timed and hit.moment is not None else 0.0
    return moment, hit.line.number, number


def _match(hits: list[Hit], index: Index) -> Match:
    first = hits[0]
    matcher = index.matchers[first.matcher]
    ranks = sorted({hit.line.rank for hit in hits if hit.line.rank is not None})
    return Match(
        owner=matcher.owner,
        signature=matcher.name,
        specific=matcher.specific,
        secondary=matcher.secondary,
        echo=matcher.echo,
        line=first.line,
        source=first.source,
        captures=_captures(hits, index),
        causes=() if matcher.specific else index.causes.get(matcher.owner, ()),
        ranks=tuple(ranks),
    )


def _captures(hits: Sequence[Hit], index: Index) -> tuple[Capture, ...]:
    """Values of the deciding line, completed from other signatures on the same rank."""
    first = hits[0]
    captures: dict[str, Capture] = {}
    for hit in hits:
        if hit.source == first.source and hit.line.rank == first.line.rank:
            signature = index.matchers[hit.matcher].name
            for name, value in hit.captures.items():
                captures.setdefault(name, Capture(signature, name, value))
    return tuple(captures.values())


def _unknown(scans: Sequence[Scan], *, timed: bool) -> tuple[Unknown, ...]:
    ordered = [
        (_when(error, number, timed=timed), error)
        for number, scan in enumerate(scans)
        for error in scan.errors
    ]
    ordered.sort(key=operator.itemgetter(0))
    seen: dict[str, Unknown] = {}
    for _, error in ordered:
        seen.setdefault(error.line.text, Unknown(error.line, error.source))
    return tuple(seen.values())[:MOST_UNKNOWN]
