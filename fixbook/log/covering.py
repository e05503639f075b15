"""How much of a query a page must cover to answer it, and what of it no page covers."""

from __future__ import annotations

import math

from fixbook.log.tokens import HAN

# A page below this share of a few words' weight is about something else. A sentence says much that
# no page says, and a page has so many words that some of them are in any sentence: it answers if
# what it covers is enough for the sentence's length, the less so the more of it one of the page's
# own names says. Chosen with bench/word_queries.py and sentences.py, asked once with and once
# without the pages that answer.
LEAST_COVERED, FEW = 0.3, 14.0
ENOUGH, UNNAMED, BY_NAME = 2.2, 0.5, 0.4
# A sentence that tells of no failure is hardly ever for this book: so much more must be covered, by
# what `failure_told` says of it. The second is for a query that weighs little.
MORE, MORE_OF_FEW = (3.3, 2.2, 1.6, 1.1, 1.0), (1.8, 1.3, 1.6, 1.0, 1.0)


def covers(share: float, said: float, whole: float, told: int) -> bool:
    """Tell whether a page covers enough of a query for an answer.

    Args:
        share: Weight of what it covers.
        said: Weight of what the best of its names covers.
        whole: Weight of the query.
        told: How far the query tells of a failure; see `failure_told`.
    """
    if whole <= FEW and share >= LEAST_COVERED * MORE_OF_FEW[told] * whole:
        return True
    known: float = share * (said + UNNAMED) ** BY_NAME
    return known >= ENOUGH * MORE[told] * math.sqrt(whole)


def lacks(token: str, known: set[str]) -> float:
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
