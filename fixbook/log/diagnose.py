"""Decide which entry a log belongs to.

A specific signature beats a shared symptom; among equals the earliest line wins, because what
fails first is the cause and what fails later has only noticed. A symptom that can only be a
consequence (a watchdog timeout, a closed connection) is named last.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from fixbook.log.normalise import LogLine, normalise

if TYPE_CHECKING:
    import re
    from collections.abc import Iterable

    from fixbook.log.signatures import Index, Matcher


@dataclass(frozen=True, slots=True)
class Finding:
    """One recognised entry or symptom.

    Attributes:
        owner: Slug of the entry, or id of the symptom.
        signature: Id of the signature that matched.
        specific: True if ``owner`` is an entry.
        line: The line that decided.
        captures: Values of the pattern's named groups.
        causes: For a symptom: slugs of the entries that share it.
    """

    owner: str
    signature: str
    specific: bool
    line: LogLine
    captures: dict[str, str] = field(default_factory=dict)
    causes: tuple[str, ...] = ()
    secondary: bool = False


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """What a log was recognised as, best first; empty if nothing matched."""

    findings: tuple[Finding, ...]

    @property
    def best(self) -> Finding | None:
        """The first finding, or None."""
        return self.findings[0] if self.findings else None

    def names(self, slug: str, symptom: str | None = None) -> bool:
        """Tell whether the first finding is this entry, or a symptom with this entry as a cause.

        Args:
            slug: The entry.
            symptom: The symptom that is accepted in its place, if any.
        """
        best = self.best
        if best is None:
            return False
        if best.specific:
            return best.owner == slug
        return symptom is not None and best.owner == symptom and slug in best.causes

    def hits(self, slug: str) -> bool:
        """Tell whether any specific signature of an entry matched."""
        return any(finding.specific and finding.owner == slug for finding in self.findings)


def diagnose(lines: Iterable[str], index: Index) -> Diagnosis:
    """Recognise a log.

    Args:
        lines: The raw lines.
        index: Compiled signatures.

    Returns:
        One finding per recognised entry or symptom, best first.
    """
    first: dict[int, tuple[LogLine, re.Match[str]]] = {}
    surroundings = _Surroundings(index.matchers)
    for line in normalise(lines):
        for position, matcher in enumerate(index.matchers):
            if position not in first:
                match = matcher.pattern.search(line.text)
                if match:
                    first[position] = (line, match)
        surroundings.look(line.text)
    findings: dict[tuple[bool, str], Finding] = {}
    for position, (line, match) in first.items():
        matcher = index.matchers[position]
        if surroundings.allow(matcher):
            finding = _finding(matcher, line, match, index)
            _keep_earliest(findings, finding)
    return Diagnosis(tuple(sorted(findings.values(), key=_order)))


class _Surroundings:
    """Remembers which context and unless patterns were found anywhere."""

    def __init__(self, matchers: Iterable[Matcher]) -> None:
        self._pending = {p for m in matchers for p in (*m.context, *m.unless)}
        self._found: set[re.Pattern[str]] = set()

    def look(self, text: str) -> None:
        seen = {pattern for pattern in self._pending if pattern.search(text)}
        self._pending -= seen
        self._found |= seen

    def allow(self, matcher: Matcher) -> bool:
        return self._found.issuperset(matcher.context) and self._found.isdisjoint(matcher.unless)


def _finding(matcher: Matcher, line: LogLine, match: re.Match[str], index: Index) -> Finding:
    captures = {name: value for name, value in match.groupdict().items() if value is not None}
    causes = () if matcher.specific else index.causes.get(matcher.owner, ())
    return Finding(
        matcher.owner, matcher.name, matcher.specific, line, captures, causes, matcher.secondary
    )


def _keep_earliest(findings: dict[tuple[bool, str], Finding], finding: Finding) -> None:
    key = (finding.specific, finding.owner)
    known = findings.get(key)
    if known is None or finding.line.number < known.line.number:
        findings[key] = finding


def _order(finding: Finding) -> tuple[bool, bool, int, str]:
    return (not finding.specific, finding.secondary, finding.line.number, finding.owner)
