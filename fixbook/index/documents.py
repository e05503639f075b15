"""What of an entry and of a shared message is searched, and how much each part counts."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from fixbook.log.search import tokens_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from fixbook.book import Book, BookEntry
    from fixbook.entry import Fix, NonFix, Text
    from fixbook.symptom import Symptom

# What people call a failure says most: an alias stands there only to be found.
_ALIAS, _TITLE, _ERROR, _SHORT, _BODY = 6.0, 4.0, 3.0, 2.0, 1.0
# The browser loads these documents, so each keeps what finds it, in few distinct weights.
MOST_KEPT = 450
LEVELS = (0.4, 1.0, 2.0, 3.0, 5.0, 8.0, 14.0, 30.0)


def search_rows(book: Book) -> list[dict[str, Any]]:
    """Return the search documents of a book as plain data: its entries, then its messages.

    Both languages are indexed together, so that Chinese and English queries work everywhere.
    """
    entries = {slug: _fields(item) for slug, item in book.entries.items()}
    symptoms = {name: _symptom_fields(name, symptom) for name, symptom in book.symptoms.items()}
    return [row_of(name, weights_of(fields)) for name, fields in {**entries, **symptoms}.items()]


def weights_of(fields: Iterable[tuple[float, str]]) -> dict[str, float]:
    """Add up the weights of the tokens of a document.

    Args:
        fields: Its texts, each with what a token in it counts.
    """
    weights: Counter[str] = Counter()
    for weight, text in fields:
        for token, part in tokens_of(text):
            weights[token] += weight * part  # type: ignore[assignment]
    return dict(weights)


def row_of(slug: str, weights: Mapping[str, float]) -> dict[str, Any]:
    """Return one search document: what was said once in passing in Chinese says nothing."""
    telling = [(t, w) for t, w in weights.items() if w > 1.0 or t.isascii()]
    telling.sort(key=lambda pair: (-round(pair[1], 1), not pair[0].isascii(), pair[0]))
    kept = {token: _level(weight) for token, weight in sorted(telling[:MOST_KEPT])}
    return {"slug": slug, "weights": kept, "length": round(sum(kept.values()), 1)}


def _level(weight: float) -> float:
    """Round a weight down to the next level."""
    return max((level for level in LEVELS if level <= round(weight, 1)), default=LEVELS[0])


def _fields(item: BookEntry) -> Iterator[tuple[float, str]]:
    entry = item.entry
    yield _TITLE, item.slug.replace("-", " ")
    yield _TITLE, " ".join(entry.projects)
    yield _ALIAS, " ".join((*entry.aliases.zh, *entry.aliases.en))
    yield from _both(_TITLE, entry.title)
    yield from _both(_SHORT, entry.summary, entry.symptom)
    for signature in entry.signatures:
        yield _ERROR, signature.pattern
    for name in filter(None, (log.file for log in entry.logs)):
        path = item.folder / name
        if path.is_file():
            yield _SHORT, path.read_text("utf-8", "replace")[:6000]
    advices: list[Fix | NonFix] = [*entry.fixes, *entry.non_fixes]
    for advice in advices:
        yield from _both(_SHORT, advice.title)
        yield from _both(_BODY, advice.text)
    yield from _both(_BODY, entry.cause, entry.detect.text)
    if entry.silent_twin:
        yield from _both(_BODY, entry.silent_twin.text)
    yield from _both(_BODY, *entry.not_this_if, *(share.ask for share in entry.symptoms))


def _symptom_fields(name: str, symptom: Symptom) -> Iterator[tuple[float, str]]:
    yield _TITLE, name.replace("-", " ")
    yield from _both(_TITLE, symptom.title)
    yield from _both(_SHORT, symptom.summary)
    yield from ((_ERROR, pattern) for pattern in symptom.patterns)
    yield from _both(_BODY, symptom.text)


def _both(weight: float, *texts: Text) -> Iterator[tuple[float, str]]:
    for text in texts:
        yield weight, text.zh
        yield weight, text.en
