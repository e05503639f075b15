"""What of an entry is searched, and how much each part counts."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from fixbook.log.search import tokens_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fixbook.book import Book, BookEntry
    from fixbook.entry import Text

_TITLE, _ERROR, _SHORT, _BODY = 4.0, 3.0, 2.0, 1.0


def search_rows(book: Book) -> list[dict[str, Any]]:
    """Return the search documents of a book as plain data, one per entry.

    Both languages are indexed together, so that Chinese and English queries work everywhere.
    """
    return [_row(item) for item in book.entries.values()]


def _row(item: BookEntry) -> dict[str, Any]:
    weights: Counter[str] = Counter()
    for weight, text in _fields(item):
        for token, part in tokens_of(text):
            weights[token] += weight * part  # type: ignore[assignment]
    rounded = {token: round(float(value), 1) for token, value in sorted(weights.items())}
    return {"slug": item.slug, "weights": rounded, "length": round(sum(rounded.values()), 1)}


def _fields(item: BookEntry) -> Iterator[tuple[float, str]]:
    entry = item.entry
    yield _TITLE, item.slug.replace("-", " ")
    yield _TITLE, " ".join(entry.projects)
    yield from _both(_TITLE, entry.title)
    yield from _both(_SHORT, entry.summary, entry.symptom)
    for signature in entry.signatures:
        yield _ERROR, signature.pattern
    for log in entry.logs:
        path = item.folder / log.file
        if path.is_file():
            yield _SHORT, path.read_text("utf-8", "replace")[:6000]
    for advice in (*entry.fixes, *entry.non_fixes):
        yield from _both(_SHORT, advice.title)
        yield from _both(_BODY, advice.text)
    yield from _both(_BODY, entry.fix_now, entry.cause, entry.silent_twin.text, entry.detect.text)
    yield from _both(_BODY, *entry.not_this_if, *(share.ask for share in entry.symptoms))


def _both(weight: float, *texts: Text) -> Iterator[tuple[float, str]]:
    for text in texts:
        yield weight, text.zh
        yield weight, text.en
