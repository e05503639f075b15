"""Ranked search over the entries and messages: BM25, and the share of the query that was found.

Used for words and phrases only; logs are recognised. The browser runs the same code in JavaScript
over the same index, held to the same vectors.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from itertools import islice, takewhile
from typing import TYPE_CHECKING, Any

from fixbook.log.tokens import HAN, clean_query, phrase_of, tokens_of

if TYPE_CHECKING:
    from collections.abc import Iterable

K1 = 1.2
B = 0.5
MOST_TOKENS = 400
# What stands in passing in a document covers less of a query than what it is about.
FULL_LEVEL = 4.0
# Words that the book does not know weigh less than the rarest it knows: most of them are chatter.
UNKNOWN = 0.7
# A page below this share of the query's weight is about something else, and so is one far below
# the best. Chosen with bench/word_queries.py.
LEAST_COVERED = 0.33
WEAK = 0.2
# Name of what people ask for and no page answers: nothing that ranks below it is an answer.
NOT_YET = ""


@dataclass(frozen=True, slots=True)
class Document:
    """What is known of one entry for searching: token weights over all its fields."""

    slug: str
    weights: dict[str, float]
    length: float


class SearchIndex:
    """BM25 over the entries.

    Args:
        documents: One per entry.
    """

    def __init__(self, documents: Iterable[Document]) -> None:
        self._documents = list(documents)
        counts: Counter[str] = Counter()
        for document in self._documents:
            counts.update(document.weights.keys())
        self._idf = {token: self._rarity(count) for token, count in counts.items()}
        self._unknown = UNKNOWN * self._rarity(0)
        lengths = [document.length for document in self._documents]
        self._mean = (sum(lengths) / len(lengths)) if lengths else 1.0

    def _rarity(self, count: int) -> float:
        return math.log(1 + (len(self._documents) - count + 0.5) / (count + 0.5))

    def search(
        self, query: str, top: int = 10, covered: float = LEAST_COVERED
    ) -> list[tuple[str, float]]:
        """Rank the entries for a query.

        Args:
            query: A word, a phrase, or an identifier.
            top: How many to return at most.
            covered: Share of the query's weight that an entry has to hold.

        Returns:
            Slugs with their scores, best first.
        """
        wanted = self._wanted(query)
        whole = sum(wanted.values())
        ranked = []
        for document in self._documents:
            score, share = self._score(document, wanted)
            if score > 0 and share >= covered * whole:
                ranked.append((-round(score * share / whole, 6), document.slug))
        ranked.sort()
        enough = ranked[0][0] * WEAK if ranked else 0.0
        answers = takewhile(lambda one: one[1] != NOT_YET and one[0] <= enough, ranked)
        return [(slug, -score) for score, slug in islice(answers, top)]

    def ordered(self, slugs: Iterable[str], query: str) -> list[str]:
        """Put entries into the order of a query; those that it does not tell apart stay.

        Args:
            slugs: The entries.
            query: A word, a phrase, or an identifier.
        """
        wanted = self._wanted(query)
        scores = {one.slug: self._score(one, wanted)[0] for one in self._documents}
        return sorted(slugs, key=lambda slug: -round(scores.get(slug, 0.0), 6))

    def _wanted(self, query: str) -> dict[str, float]:
        """Tokens of a query with what each weighs by its rarity."""
        weights: dict[str, float] = {}
        for token, weight in tokens_of(clean_query(query))[:MOST_TOKENS]:
            weights[token] = max(weights.get(token, 0.0), weight)
        phrase = phrase_of(query)
        if phrase in self._idf:
            weights[phrase] = 1.0
        known = {sign for token in weights if token in self._idf for sign in token}
        shares = {
            token: self._idf[token] if token in self._idf else self._unknown * _lacks(token, known)
            for token in weights
        }
        return {token: weights[token] * share for token, share in shares.items() if share}

    def _score(self, document: Document, wanted: dict[str, float]) -> tuple[float, float]:
        """BM25 of a document, and the weight of what it covers."""
        norm = K1 * (1 - B + B * document.length / self._mean)
        score = share = 0.0
        for token, weight in wanted.items():
            count = document.weights.get(token)
            if count:
                score += weight * count * (K1 + 1) / (count + norm)
                share += weight * min(1.0, count / FULL_LEVEL)
        return score, share


def _lacks(token: str, known: set[str]) -> float:
    """How far an unknown token is something that the book lacks.

    A number is not, nor is an identifier whose parts are counted, nor two Chinese characters of
    which one belongs to a known pair: they straddle two words. So may any two others.

    Args:
        token: The token.
        known: Characters of the tokens that the book knows.
    """
    if HAN.match(token):
        return 0.5 if known.isdisjoint(token) else 0.0
    return 0.0 if token.isdigit() or "_" in token else 1.0


def documents_from(rows: list[dict[str, Any]]) -> list[Document]:
    """Build documents from plain data, as the index file holds it."""
    return [Document(row["slug"], row["weights"], row["length"]) for row in rows]
