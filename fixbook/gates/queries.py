"""What people paste and type for an entry leads to it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fixbook.book import (
    LEAST_WORDS,
    QUERIES_FILE,
    QUERY_KINDS,
    WORDS_FILE,
    load_queries,
    load_words,
)
from fixbook.problem import BookError, Problem
from fixbook.text import _

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fixbook.book import BookEntry, Query
    from fixbook.gates.reading import Reading
    from fixbook.log.finder import Finder

_TRIED = 3  # words may be ambiguous; the entry has to be among the first few


def queries_lead_here(reading: Reading) -> Iterator[Problem]:
    """Check that an entry has queries of every kind, that each leads to it, and words to type."""
    for item in reading.asked:
        try:
            queries = load_queries(item)
            words = load_words(item)
        except BookError as error:
            yield from error.problems
            continue
        if words is None:
            what = _("is missing; it holds what people type who know neither title nor aliases")
            mend = _("write {count} searches for each language").format(count=LEAST_WORDS)
            yield Problem(str(item.folder / WORDS_FILE), what, mend)
        path = str(item.folder / QUERIES_FILE)
        missing = [kind for kind in QUERY_KINDS if kind not in {query.kind for query in queries}]
        if missing:
            mend = _("add what people paste and type, with numbers other than the log's")
            what = _("has no query of kind {kinds}").format(kinds=", ".join(missing))
            yield Problem(path, what, mend)
        for number, query in enumerate(queries, 1):
            yield from _leads(item, path, number, query, reading.finder)


def _leads(
    item: BookEntry, path: str, number: int, query: Query, finder: Finder
) -> Iterator[Problem]:
    wanted = {item.slug, query.symptom} - {None}
    tried = _TRIED if query.kind in {"keywords", "chinese"} else 1
    found = finder.ranked(query.text)[:tried]
    if not wanted & set(found):
        what = _("query {number} ({kind}) leads to {names}")
        names = ", ".join(found) or _("nothing")
        mend = _("widen a signature, add an alias, or say with 'as' which symptom is right too")
        yield Problem(path, what.format(number=number, kind=query.kind, names=names), mend)
