"""What a log was recognised as."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fixbook.log.card import Card
    from fixbook.log.going_on import GoesOn
    from fixbook.log.normalise import LogLine


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
        exception: The exception that the answer is about, as far as the log tells.
        explained: False if the first match only notices that exception, which is not recognised.
        found: Patterns of cases, contexts and their kin that stand in the logs.
        goes_on: Steps that are counted below what the answer is about; None if none are.
    """

    matches: tuple[Match, ...]
    unknown: tuple[Unknown, ...] = ()
    lines: int = 0
    exception: Card | None = None
    explained: bool = True
    found: frozenset[str] = frozenset()
    goes_on: GoesOn | None = None

    @property
    def best(self) -> Match | None:
        """The match that explains the log, or None."""
        return self.matches[0] if self.matches and self.explained else None

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
