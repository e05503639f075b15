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
from typing import TYPE_CHECKING

from fixbook.log.across import Disagreements
from fixbook.log.diagnosis import Capture, Diagnosis, Match, Unknown
from fixbook.log.errors import ERROR
from fixbook.log.exception import When, card_of, headline_of
from fixbook.log.going_on import Below
from fixbook.log.likely import likely_of
from fixbook.log.reading import CHUNK, whole_lines
from fixbook.log.scan import scanner_for
from fixbook.log.scanned import Hit, Scan
from fixbook.log.second import second_scans
from fixbook.log.telling import telling_of, without_code

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from fixbook.log.card import Card
    from fixbook.log.going_on import GoesOn
    from fixbook.log.signatures import Index

MOST_UNKNOWN = 10
_SEEN = re.compile(r"(?:^|[/\\])seen\.log$")  # by `fixbook watch`, as a run ended
_LAST = float(2**53)  # after any moment
_SURROGATE = re.compile("[\ud800-\udfff]")


def diagnose(text: str, index: Index) -> Diagnosis:
    """Recognise a log that is in memory.

    Args:
        text: The log.
        index: Compiled signatures.
    """
    data = _SURROGATE.sub("\ufffd", text).encode()
    parts = (data[start : start + CHUNK] for start in range(0, len(data), CHUNK))
    return decide([scanner_for(index).scan(whole_lines(parts), "")], index)


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
    found = set[str]().union(*(scan.found for scan in scans))
    timed = all(hit.moment is not None for scan in scans for hit in (*scan.hits, *scan.errors))
    across = Disagreements((hit for scan in scans for hit in scan.hits), index)
    allowed = [
        [
            hit
            for hit in scan.hits
            if across.allow(hit)
            and found.issuperset(index.matchers[hit.matcher].context)
            and found.isdisjoint(index.matchers[hit.matcher].unless)
        ]
        for scan in scans
    ]
    unexplained = [
        [*scan.errors, *_lost(scan, {hit.line.number for hit in hits})]
        for scan, hits in zip(scans, allowed, strict=True)
    ]
    counting = _ordered(allowed, timed=timed)
    by_owner: dict[tuple[bool, str], list[tuple[When, Hit]]] = {}
    for one in without_code(counting, index, errors=any(unexplained)):
        matcher = index.matchers[one[1].matcher]
        by_owner.setdefault((matcher.specific, matcher.owner), []).append(one)
    below = Below(scans, index, unexplained)
    groups = sorted(by_owner.values(), key=lambda hits: _standing(hits, below, index))
    errors = _ordered(unexplained, timed=timed)
    exception, explained = _exception(scans, groups[0] if groups else [], errors, below, index)
    return Diagnosis(
        matches=tuple(_match([hit for _, hit in hits], index) for hits in groups),
        unknown=_unknown([hit for _, hit in errors]),
        lines=sum(scan.lines for scan in scans),
        exception=exception,
        explained=explained,
        found=frozenset(found),
        goes_on=_goes_on(groups[0] if explained else [], exception, below),
    )


def _lost(scan: Scan, explained: Collection[int]) -> Iterable[Hit]:
    """Errors, one a line, of which only a pattern that does not count here has kept hold."""
    lost: dict[int, Hit] = {}
    for hit in scan.hits:
        known = hit.code or hit.line.number in explained
        if not known and ERROR.match(hit.line.text):
            lost.setdefault(hit.line.number, hit)
    return lost.values()


def _goes_on(
    best: Sequence[tuple[When, Hit]], exception: Card | None, below: Below
) -> GoesOn | None:
    """The steps that are counted below what the answer is about."""
    if best:
        return below.hits([hit for _, hit in best])
    return below.error(exception.source) if exception and exception.certain else None


def _exception(
    scans: Sequence[Scan],
    best: Sequence[tuple[When, Hit]],
    errors: Sequence[tuple[When, Hit]],
    below: Below,
    index: Index,
) -> tuple[Card | None, bool]:
    """The exception that the answer is about, and whether the best match explains it."""
    heads = {scan.source: scan.head for scan in reversed(scans)}
    if not best:
        last = scans[-1] if scans else Scan("")
        likely = likely_of(last) if not errors else None
        return headline_of(_ended(errors, below) or errors, None, heads) or likely, False
    if below.got_over([hit for _, hit in best]):
        card = headline_of(_ended(errors, below), None, heads)
        if card:
            return card, False
    if index.matchers[best[0][1].matcher].secondary:
        card = headline_of(errors, best[0], heads)
        if card:
            return card, False
    return card_of(telling_of([hit for _, hit in best], index), heads), True


def _ended(errors: Sequence[tuple[When, Hit]], below: Below) -> list[tuple[When, Hit]]:
    """Errors of logs that count no steps below them: a rank that got over its own ended nothing."""
    return [one for one in errors if not below.error(one[1].source)]


def _ordered(lists: Sequence[Sequence[Hit]], *, timed: bool) -> list[tuple[When, Hit]]:
    """Hits of several logs in the order in which they were printed."""
    pairs = [
        (_when(hit, number, timed=timed), hit) for number, hits in enumerate(lists) for hit in hits
    ]
    return sorted(pairs, key=operator.itemgetter(0))


def _standing(
    placed: Sequence[tuple[When, Hit]], below: Below, index: Index
) -> tuple[bool, bool, bool, bool]:
    """What ended a run before what it got over, a cause before a consequence and its echo."""
    hits = [hit for _, hit in placed]
    matcher = index.matchers[hits[0].matcher]
    return below.got_over(hits), not matcher.specific, matcher.secondary, matcher.echo


def _when(hit: Hit, number: int, *, timed: bool) -> When:
    """Order of hits; times count only where every hit has one, or the clocks would not compare.

    How processes were seen to end comes after all that they have printed, though it has a file.
    """
    moment = hit.moment if timed and hit.moment is not None else 0.0
    if _SEEN.search(hit.source):
        moment = _LAST
    return moment, hit.line.number, number


def _match(hits: list[Hit], index: Index) -> Match:
    first = telling_of(hits, index)
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
        captures=_captures([first, *hits], index),
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


def _unknown(errors: Sequence[Hit]) -> tuple[Unknown, ...]:
    seen: dict[str, Unknown] = {}
    for error in errors:
        seen.setdefault(error.line.text, Unknown(error.line, error.source))
    return tuple(seen.values())[:MOST_UNKNOWN]
