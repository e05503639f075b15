"""Ranked search over the entries: identifiers whole and in parts, Han text as bigrams, BM25.

Used where no signature matches, and for words and phrases. The browser runs the same code in
JavaScript over the same index, held to the same vectors.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from fixbook.log.normalise import clean_line

if TYPE_CHECKING:
    from collections.abc import Iterable

K1 = 1.2
B = 0.5
# Parts of an identifier say less than the identifier itself.
PART_WEIGHT = 0.4
# A Chinese phrase makes a token of every two characters; together they say what a word says.
HAN_WEIGHT = 0.7
MOST_TOKENS = 400
# Of the end of a log that nothing recognised: what a run printed last is searched for.
GUESS_BYTES = 64 * 1024

WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*|[0-9]+[A-Za-z_][A-Za-z0-9_]*|[\u3400-\u9fff]+")
PART = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|[0-9]+")
HEX = re.compile(r"0x[0-9a-fA-F]+|\b[0-9a-f]{12,}\b", re.ASCII)
FRAME = re.compile(r'^\s*File "[^"]*[/\\]([^"/\\]+)", line \d+, in (\S+)', re.ASCII)
PATH = re.compile(r"(?:[A-Za-z]:)?(?:[/\\][\w.@+-]+){2,}[/\\]", re.ASCII)
LINE_END = re.compile(r"\r\n|[\r\n]")
HAN = re.compile(r"[\u3400-\u9fff]")
STOP = frozenset(
    (  # noqa: SIM905  (a list of forty lines says no more)
        "a an and are as at be by for from has have how if in is it its not of on or that the"
        " this to was what when which why will with you your file line most recent call last"
        " traceback"
    ).split()
)


def tokens_of(text: str) -> list[tuple[str, float]]:
    """Split a text into weighted tokens.

    Args:
        text: A query or a document.

    Returns:
        Lower-case identifiers with weight 1, their snake_case and CamelCase parts and
        bigrams of Han text with less. Hexadecimal and bare numbers are left out.
    """
    found: list[tuple[str, float]] = []
    for word in WORD.findall(HEX.sub(" ", text)):
        if HAN.match(word):
            found += [(word[i : i + 2], HAN_WEIGHT) for i in range(max(1, len(word) - 1))]
            continue
        whole = word.lower().strip("_")
        if len(whole) > 1 and whole not in STOP:
            found.append((whole, 1.0))
        parts = [part.lower() for part in PART.findall(word)]
        if len(parts) > 1:
            found += [
                (part, PART_WEIGHT)
                for part in parts
                if len(part) > 1 and not part.isdigit() and part not in STOP
            ]
    return found


def clean_query(text: str) -> str:
    """Take what is not the error off a pasted text: prefixes, paths, frames' line numbers.

    Falls back to the text itself if nothing would be left.
    """
    lines = []
    for raw in LINE_END.split(text):
        line, _ = clean_line(raw)
        frame = FRAME.match(line)
        lines.append(f"{frame[1]} {frame[2]}" if frame else PATH.sub("", line))
    cleaned = "\n".join(lines).strip()
    return cleaned or text


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
        total = len(self._documents)
        self._idf = {
            token: math.log(1 + (total - count + 0.5) / (count + 0.5))
            for token, count in counts.items()
        }
        lengths = [document.length for document in self._documents]
        self._mean = (sum(lengths) / len(lengths)) if lengths else 1.0

    def search(self, query: str, top: int = 10) -> list[tuple[str, float]]:
        """Rank the entries for a query.

        Args:
            query: A word, a phrase, an identifier, or a pasted text.
            top: How many to return at most.

        Returns:
            Slugs with their scores, best first; only entries that share a token.
        """
        wanted: dict[str, float] = {}
        for token, weight in tokens_of(clean_query(query))[:MOST_TOKENS]:
            wanted[token] = max(wanted.get(token, 0.0), weight)
        scored = ((self._score(document, wanted), document.slug) for document in self._documents)
        ranked = sorted((-round(score, 6), slug) for score, slug in scored if score > 0)
        return [(slug, -score) for score, slug in ranked[:top]]

    def _score(self, document: Document, wanted: dict[str, float]) -> float:
        norm = K1 * (1 - B + B * document.length / self._mean)
        score = 0.0
        for token, weight in wanted.items():
            count = document.weights.get(token)
            if count:
                score += weight * self._idf[token] * count * (K1 + 1) / (count + norm)
        return score


def documents_from(rows: list[dict[str, Any]]) -> list[Document]:
    """Build documents from plain data, as the index file holds it."""
    return [Document(row["slug"], row["weights"], row["length"]) for row in rows]
