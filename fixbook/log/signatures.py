"""The patterns that recognise failures; each is compiled when a line may hold it.

There are over a thousand, and a log holds the literals of a few: compiling all took longer than
all else that an answer takes.
"""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass, field
from typing import Any

FORMAT = 4


@dataclass(frozen=True, slots=True)
class Matcher:
    """A signature, or one pattern of a shared symptom.

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
    pattern: str
    context: tuple[str, ...] = ()
    unless: tuple[str, ...] = ()
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
    literals: dict[str, tuple[str, ...]] = field(default_factory=dict)


@functools.cache  # there are as many as the book has
def compiled(pattern: str, *, folded: bool = False) -> re.Pattern[str]:
    r"""Compile a pattern; ``\d``, ``\w``, ``\s`` and ``\b`` are those of ASCII, as in RE2.

    Args:
        pattern: The pattern.
        folded: True to take capital and small letters for the same.
    """
    return re.compile(pattern, re.ASCII | re.IGNORECASE if folded else re.ASCII)


def index_from(rows: dict[str, Any]) -> Index:
    """Make an index from plain data."""
    matchers = tuple(
        Matcher(
            owner=row["owner"],
            name=row["name"],
            specific=row["specific"],
            pattern=row["pattern"],
            context=tuple(row["context"]),
            unless=tuple(row["unless"]),
            same=tuple(row["same"]),
            differ=tuple(row["differ"]),
            secondary=row["secondary"],
            echo=row["echo"],
            literals=tuple(row["literals"]),
        )
        for row in rows["matchers"]
    )
    causes = {name: tuple(slugs) for name, slugs in rows["causes"].items()}
    literals = {pattern: tuple(found) for pattern, found in rows["surroundings"].items()}
    return Index(matchers, causes, literals)
