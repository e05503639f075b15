"""Ranked search over the entries and messages: BM25, what their names say, and how much was found.

Used for words and phrases only; logs are recognised. The browser runs the same code in JavaScript
over the same index, held to the same vectors.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from dataclasses import dataclass
from itertools import islice, takewhile
from typing import TYPE_CHECKING, Any, NamedTuple

from fixbook.log.amiss import NOTHING_AMISS, failure_told
from fixbook.log.covering import covers, lacks
from fixbook.log.tokens import (
    CARD,
    HAN,
    NAME,
    QUANTITY,
    STOP,
    WORD,
    clean_query,
    is_bare,
    phrase_of,
    stem_of,
    telling,
    tokens_of,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

K1 = 4.0
B = 0.4
MOST_TOKENS = 400
# What stands in passing in a document covers less of a query than what it is about.
FULL_LEVEL = 6.0
# Words that the book does not know weigh less than the rarest it knows: most of them are chatter.
UNKNOWN = 0.7
# A name that it does not know weighs more: the question is about that, whatever the rest says.
STRANGE = 2.5
LEAST_HAN = 6  # characters; between them every Latin word is a name
LEAST_NAME = 3  # letters
# A page whose score is below this share of the best is about something else.
WEAK = 0.2
# A page that says a name in passing, or in a pattern of many names, is not about it.
NAMED = 5.0
# Name of what people ask for and no page answers: nothing that ranks below it is an answer.
NOT_YET = ""


@dataclass(frozen=True, slots=True)
class Document:
    """What is known of one entry for searching: token weights over all its fields."""

    slug: str
    weights: dict[str, float]
    length: float

    def names(self) -> list[set[str]]:
        """Return the words of each of its names: aliases, titles and their synonyms."""
        return [{*token[1:].split("=")} for token in self.weights if token.startswith("=")]


class SearchIndex:
    """BM25 over the entries.

    Args:
        documents: One per entry.
        elsewhere: Names of what the book has nothing on, in lower case.
    """

    def __init__(self, documents: Iterable[Document], elsewhere: Iterable[str] = ()) -> None:
        self._documents = list(documents)
        self._named: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
        for at, document in enumerate(self._documents):
            for number, name in enumerate(document.names()):
                for token in name:
                    self._named[token].append((at, number))
        names = list(elsewhere)
        self._elsewhere = {stem_of(name) for name in names}
        self._phrases = [name for name in names if not WORD.fullmatch(name) or HAN.match(name)]
        counts: Counter[str] = Counter()
        for document in self._documents:
            counts.update(document.weights.keys())
        self._idf = {token: self._rarity(count) for token, count in counts.items()}
        lengths = [document.length for document in self._documents]
        self._mean = (sum(lengths) / len(lengths)) if lengths else 1.0

    def _rarity(self, count: int) -> float:
        return math.log(1 + (len(self._documents) - count + 0.5) / (count + 0.5))

    def search(self, query: str, top: int = 10) -> list[tuple[str, float]]:
        """Rank the entries for a query.

        Args:
            query: A word, a phrase, an identifier, or a sentence.
            top: How many to return at most.

        Returns:
            Slugs with their scores, best first.
        """
        if is_bare(query):
            return []
        wanted = self._wanted(query)
        names, told = self.elsewhere(query), failure_told(query, telling(query))
        if names and told in NOTHING_AMISS:
            return []
        whole = sum(wanted.values())
        ranked = []
        said = self._said(wanted)
        for at, document in enumerate(self._documents):
            found = self._found(document, wanted, said.get(at, 0.0))
            answers = found.score > 0 and covers(found.share, found.said, whole, told)
            if answers and _names(document, names):
                ranked.append((-round(found.score, 6), document.slug))
        ranked.sort()
        enough = ranked[0][0] * WEAK if ranked else 0.0
        kept = takewhile(lambda one: one[1] != NOT_YET and one[0] <= enough, ranked)
        return [(slug, -score) for score, slug in islice(kept, top)]

    def nearest(self, query: str, top: int) -> list[str]:
        """Return what is nearest to a query that nothing answers, best first.

        Args:
            query: A word, a phrase, an identifier, or a sentence.
            top: How many to return at most.
        """
        wanted = self._wanted(query)
        scores = [(-round(score, 6), slug) for slug, score in self._scores(wanted)]
        ranked = sorted(one for one in scores if one[0] < 0 and one[1] != NOT_YET)
        return [slug for _, slug in ranked[:top]]

    def elsewhere(self, query: str) -> list[str]:
        """Return the names in a query of what the book has nothing on."""
        typed = [word for word in WORD.findall(query) if stem_of(word.lower()) in self._elsewhere]
        more = sorted(name for name in self._phrases if name in query.lower())
        cards = CARD.findall(query) if is_bare(query) else []
        return [*dict.fromkeys(typed + more + cards)]

    def lacking(self, query: str) -> list[str]:
        """Return the names in a query of what the book has nothing on, or does not know."""
        return [*dict.fromkeys((*self.elsewhere(query), *self.strange(query)))]

    def strange(self, query: str) -> list[str]:
        """Return the names in a query that no document holds, as they were typed."""
        chinese = len(HAN.findall(query)) >= LEAST_HAN
        return [
            word
            for word in dict.fromkeys(WORD.findall(query))
            if (chinese or NAME.search(word))
            and not (HAN.match(word) or QUANTITY.fullmatch(word) or "_" in word)
            and len(word) >= LEAST_NAME
            and word.lower() not in STOP
            and stem_of(word.lower()) not in self._idf
        ]

    def ordered(self, slugs: Iterable[str], query: str) -> list[str]:
        """Put entries into the order of a query; those that it does not tell apart stay.

        Args:
            slugs: The entries.
            query: A word, a phrase, or an identifier.
        """
        scores = dict(self._scores(self._wanted(query)))
        return sorted(slugs, key=lambda slug: -round(scores.get(slug, 0.0), 6))

    def _wanted(self, query: str) -> dict[str, float]:
        """Tokens of a query with what each weighs by its rarity."""
        weights: dict[str, float] = {}
        for token, weight in tokens_of(telling(clean_query(query)))[:MOST_TOKENS]:
            weights[token] = max(weights.get(token, 0.0), weight)
        phrase = phrase_of(query)
        if phrase in self._idf:
            weights[phrase] = 1.0
        strange = {stem_of(word.lower()) for word in self.strange(query)}
        known = {sign for token in weights if token in self._idf for sign in token}
        lacking = {
            token: STRANGE if token in strange else UNKNOWN * lacks(token, known)
            for token in weights
        }
        rarest = self._rarity(0)
        shares = {token: self._idf.get(token, lacking[token] * rarest) for token in weights}
        return {token: weights[token] * share for token, share in shares.items() if share}

    def _scores(self, wanted: dict[str, float]) -> Iterator[tuple[str, float]]:
        said = self._said(wanted)
        for at, document in enumerate(self._documents):
            yield document.slug, self._found(document, wanted, said.get(at, 0.0)).score

    def _said(self, wanted: dict[str, float]) -> dict[int, float]:
        """Weight of what the best name of each document covers, by its place; none at 0."""
        covered: defaultdict[tuple[int, int], float] = defaultdict(float)
        for token, weight in wanted.items():
            for name in self._named.get(token, ()):
                covered[name] += weight
        said: dict[int, float] = {}
        for (at, _), weight in covered.items():
            said[at] = max(weight, said.get(at, 0.0))
        return said

    def _found(self, document: Document, wanted: dict[str, float], said: float) -> _Found:
        """BM25 of a document, and the weight of what it and its names cover.

        Args:
            document: The document.
            wanted: What each token of the query weighs.
            said: Weight of what the best of its names covers.
        """
        norm = K1 * (1 - B + B * document.length / self._mean)
        score = share = 0.0
        for token, weight in wanted.items():
            count = document.weights.get(token)
            if count:
                score += weight * count * (K1 + 1) / (count + norm)
                share += weight * min(1.0, count / FULL_LEVEL)
        return _Found(score + said, share, said) if share else _Found(0.0, 0.0, 0.0)


class _Found(NamedTuple):
    """How well a document fits a query.

    Attributes:
        score: What it is ranked by.
        share: Weight of what it covers.
        said: Weight of what the best of its names covers.
    """

    score: float
    share: float
    said: float


def _names(document: Document, names: Iterable[str]) -> bool:
    """Tell whether a page is about all that a query names of what the book has nothing on."""
    return all(document.weights.get(stem_of(name.lower()), 0.0) >= NAMED for name in names)


def documents_from(rows: list[dict[str, Any]]) -> list[Document]:
    """Build documents from plain data, as the index file holds it."""
    return [Document(row["slug"], row["weights"], row["length"]) for row in rows]
