"""The patterns that recognise failures, compiled once for matching."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

FORMAT = 4


@dataclass(frozen=True, slots=True)
class Matcher:
    """A compiled signature, or one pattern of a shared symptom.

    Attributes:
        owner: Slug of the entry, or id of the symptom.
        name: Id of the signature; the symptom's id again for a symptom.
        specific: True for an entry's own signature.
        pattern: Searched in each cleaned line.
        context: Each must be found somewhere in the log.
        unless: None may be found anywhere in the log.
        same: Groups that have to agree between two ranks.
        differ: Groups of which one has to differ between them; empty if one line decides.
        secondary: True for a symptom that only notices a failure elsewhere.
        echo: True for a symptom that only notices that another process has ended.
        literals: Every match contains one of these.
    """

    owner: str
    name: str
    specific: bool
    pattern: re.Pattern[str]
    context: tuple[re.Pattern[str], ...] = ()
    unless: tuple[re.Pattern[str], ...] = ()
    same: tuple[str, ...] = ()
    differ: tuple[str, ...] = ()
    secondary: bool = False
    echo: bool = False
    literals: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Index:
    """Everything that diagnosis needs of the book; one is equal to itself alone.

    Attributes:
        matchers: All signatures and symptom patterns.
        causes: Entries that share a symptom, by symptom id.
        literals: Required literals of every pattern of a context, an unless or a case.
    """

    matchers: tuple[Matcher, ...]
    causes: dict[str, tuple[str, ...]] = field(default_factory=dict)
    literals: dict[re.Pattern[str], tuple[str, ...]] = field(default_factory=dict)


def compiled(pattern: str) -> re.Pattern[str]:
    r"""Compile a pattern; ``\d``, ``\w``, ``\s`` and ``\b`` are those of ASCII, as in RE2."""
    return re.compile(pattern, re.ASCII)


def index_from(rows: dict[str, Any]) -> Index:
    """Compile plain data into an index."""
    matchers = tuple(
        Matcher(
            owner=row["owner"],
            name=row["name"],
            specific=row["specific"],
            pattern=compiled(row["pattern"]),
            context=tuple(map(compiled, row["context"])),
            unless=tuple(map(compiled, row["unless"])),
            same=tuple(row["same"]),
            differ=tuple(row["differ"]),
            secondary=row["secondary"],
            echo=row["echo"],
            literals=tuple(row["literals"]),
        )
        for row in rows["matchers"]
    )
    causes = {name: tuple(slugs) for name, slugs in rows["causes"].items()}
    literals = {compiled(p): tuple(found) for p, found in rows["surroundings"].items()}
    return Index(matchers, causes, literals)
