"""The patterns that recognise failures, compiled once for matching."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fixbook.book import Book


@dataclass(frozen=True, slots=True)
class Matcher:
    """A compiled signature, or one pattern of a shared symptom.

    Attributes:
        owner: Slug of the entry, or id of the symptom.
        name: Id of the signature; the symptom's id again for a symptom.
        specific: True for an entry's own signature.
        pattern: Searched in each line.
        context: Each must be found somewhere in the log.
        unless: None may be found anywhere in the log.
        secondary: True for a symptom that only notices a failure elsewhere.
    """

    owner: str
    name: str
    specific: bool
    pattern: re.Pattern[str]
    context: tuple[re.Pattern[str], ...] = ()
    unless: tuple[re.Pattern[str], ...] = ()
    secondary: bool = False


@dataclass(frozen=True, slots=True)
class Index:
    """Everything that diagnosis needs of the book.

    Attributes:
        matchers: All signatures and symptom patterns.
        causes: Entries that share a symptom, by symptom id.
    """

    matchers: tuple[Matcher, ...]
    causes: dict[str, tuple[str, ...]] = field(default_factory=dict)


def index_of(book: Book) -> Index:
    """Compile the signatures and symptoms of a book."""
    matchers = [
        Matcher(
            owner=item.slug,
            name=signature.id,
            specific=True,
            pattern=re.compile(signature.pattern),
            context=tuple(map(re.compile, signature.context)),
            unless=tuple(map(re.compile, signature.unless)),
        )
        for item in book.entries.values()
        for signature in item.entry.signatures
    ]
    matchers += [
        Matcher(name, name, specific=False, pattern=re.compile(p), secondary=symptom.secondary)
        for name, symptom in book.symptoms.items()
        for p in symptom.patterns
    ]
    causes = {
        name: tuple(
            slug
            for slug, item in book.entries.items()
            if any(shared.id == name for shared in item.entry.symptoms)
        )
        for name in book.symptoms
    }
    return Index(tuple(matchers), causes)
