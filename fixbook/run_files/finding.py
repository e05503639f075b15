"""What the files of a run show, and what they cannot show."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fixbook.text import Sentence


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that the files of a run show.

    Attributes:
        rule: The rule that found it.
        says: What is the case, in one sentence.
        owners: The entries and messages whose cause it shows, the nearest first; empty where the
            book has none.
        source: Name of the file.
        line: Its line there, from 1; None where the file has no lines.
        step: The step at which it began; None if that is not known.
        rank: The rank that it is about, or None.
        row: The values that decided, as a log would print them: cases of fixes ask for it.
    """

    rule: str
    says: Sentence
    owners: tuple[str, ...] = ()
    source: str = ""
    line: int | None = None
    step: int | None = None
    rank: int | None = None
    row: str = ""
