"""What of an entry and of a shared message is searched, and how much each part counts."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, Any

from fixbook.book import unmentioned
from fixbook.index.synonyms import groups, synonyms_of
from fixbook.log.search import NOT_YET
from fixbook.log.tokens import phrase_of, tokens_of

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator, Mapping

    from fixbook.book import Aliases, Book, BookEntry, Fix, NonFix, Symptom, Text

# What people call a failure says most: an alias stands there only to be found. What others call it
# finds it too, after those that are called so themselves.
_ALIAS, _TITLE, _SYNONYM, _ERROR, _SHORT, _BODY = 6.0, 4.0, 3.0, 3.0, 2.0, 1.0
# The browser loads these documents, so each keeps what finds it, in few distinct weights.
MOST_KEPT = 700
LEVELS = (0.4, 1.0, 2.0, 3.0, 5.0, 8.0, 14.0, 30.0)
# Two Chinese characters that stand in so few documents tell them from the others.
_RARE = 2
_ESCAPE = re.compile(r"\\[a-zA-Z]|\?P<\w+>")  # classes and names of groups are no words


def search_rows(book: Book) -> list[dict[str, Any]]:
    """Return the search documents of a book as plain data: its entries, then its messages.

    Both languages are indexed together, so that Chinese and English queries work everywhere.
    """
    weighed = {slug: _entry_weights(item) for slug, item in book.entries.items()}
    weighed |= {name: _symptom_weights(name, one) for name, one in book.symptoms.items()}
    counts = Counter(token for weights in weighed.values() for token in weights)
    rare = frozenset(token for token, count in counts.items() if count <= _RARE)
    pages = [row_of(name, weights, rare) for name, weights in weighed.items()]
    known = {token for row in pages for token in row["weights"]}
    return pages + [row_of(NOT_YET, weights) for weights in _unanswered(known)]


def _unanswered(known: set[str]) -> Iterator[dict[str, float]]:
    """What people ask for and no page answers: groups of synonyms of which no page has a word."""
    for group in groups():
        phrases = {phrase_of(word): _ALIAS for word in group.words}
        if known.isdisjoint(phrases):
            yield _said(group.words, _ALIAS) | phrases


def _said(words: Iterable[str], weight: float) -> dict[str, float]:
    """Weights of words that mean the same: each token once."""
    return {token: weight * part for word in words for token, part in tokens_of(word)}


def weights_of(fields: Iterable[tuple[float, str]]) -> dict[str, float]:
    """Add up the weights of the tokens of a document.

    Args:
        fields: Its texts, each with what a token in it counts.
    """
    weights: Counter[str] = Counter()
    for weight, text in fields:
        for token, part in tokens_of(text):
            # A number says something in a name that people type, and nothing in a log.
            if weight >= _TITLE or not token.isdigit():
                weights[token] += weight * part  # type: ignore[assignment]
    return dict(weights)


def row_of(
    slug: str, weights: Mapping[str, float], rare: Container[str] = frozenset()
) -> dict[str, Any]:
    """Return one search document.

    What was said once in passing in Chinese says nothing, unless hardly any other page says it.

    Args:
        slug: Name of the document.
        weights: What its tokens weigh.
        rare: Tokens that hardly any document holds.
    """
    telling = [(t, w) for t, w in weights.items() if w > 1.0 or t.isascii() or t in rare]
    telling.sort(key=lambda pair: (-round(pair[1], 1), not pair[0].isascii(), pair[0]))
    kept = {token: _level(weight) for token, weight in sorted(telling[:MOST_KEPT])}
    words = [weight for token, weight in kept.items() if not token.startswith("=")]
    return {"slug": slug, "weights": kept, "length": round(sum(words), 1)}


def _level(weight: float) -> float:
    """Round a weight down to the next level."""
    return max((level for level in LEVELS if level <= round(weight, 1)), default=LEVELS[0])


def _entry_weights(item: BookEntry) -> dict[str, float]:
    entry = item.entry
    named = _named(entry.title, entry.aliases, entry.categories)
    return _joined(weights_of(_fields(item)), named)


def _symptom_weights(name: str, symptom: Symptom) -> dict[str, float]:
    named = _named(symptom.title, symptom.aliases)
    return _joined(weights_of(_symptom_fields(name, symptom)), named)


def _joined(weights: dict[str, float], named: dict[str, float]) -> dict[str, float]:
    return weights | {token: weights.get(token, 0.0) + more for token, more in named.items()}


def _named(title: Text, aliases: Aliases, categories: Iterable[str] = ()) -> dict[str, float]:
    """Weights of whole names, and of what others call the same, each token once."""
    own = [*aliases.zh, *aliases.en]
    groups = synonyms_of(own, categories)
    words = [word for group in groups for word in group.words]
    weights = _said(words, _SYNONYM) | {phrase_of(word): _SYNONYM for word in words}
    weights |= {phrase_of(name): _ALIAS for name in (*own, title.zh, title.en)}
    return {token: weight for token, weight in weights.items() if token}


def _fields(item: BookEntry) -> Iterator[tuple[float, str]]:
    entry = item.entry
    yield _BODY, item.slug.replace("-", " ")  # the book's own name for it, which nobody types
    yield _TITLE, " ".join((*entry.projects, *entry.categories)).replace("-", " ")
    yield _ALIAS, " ".join((*entry.aliases.zh, *entry.aliases.en))
    yield from _both(_TITLE, entry.title)
    yield from _both(_SHORT, entry.summary, entry.symptom)
    for signature in entry.signatures:
        yield _ERROR, _ESCAPE.sub(" ", signature.pattern)
    for name in filter(None, (log.file for log in entry.logs)):
        path = item.folder / name
        if path.is_file():
            yield _SHORT, path.read_text("utf-8", "replace")[:6000]
    advices: list[Fix | NonFix] = [*entry.fixes, *entry.non_fixes]
    for advice in advices:
        yield from _both(_SHORT, advice.title)
        yield from _both(_BODY, advice.text)
    yield from _both(_BODY, entry.cause, entry.detect.text)
    if entry.names:
        yield _BODY, " ".join((*entry.names.now, *entry.names.now.values()))
    if entry.silent_twin:
        yield from _both(_BODY, entry.silent_twin.text)
    yield from _both(_BODY, *entry.not_this_if, *(share.ask for share in entry.symptoms))


def _symptom_fields(name: str, symptom: Symptom) -> Iterator[tuple[float, str]]:
    yield _TITLE, name.replace("-", " ")
    yield _ALIAS, " ".join((*symptom.aliases.zh, *symptom.aliases.en))
    yield from _both(_TITLE, symptom.title)
    yield from _both(_SHORT, symptom.summary)
    yield from ((_ERROR, _ESCAPE.sub(" ", one)) for one in symptom.patterns)
    yield from _both(_BODY, symptom.text)


def _both(weight: float, *texts: Text) -> Iterator[tuple[float, str]]:
    for text in texts:
        yield weight, unmentioned(text.zh)
        yield weight, unmentioned(text.en)
