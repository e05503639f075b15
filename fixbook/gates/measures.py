"""Every claim that names a measure is carried by recorded evidence."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fixbook.condition import Condition
from fixbook.gates.texts import texts_of
from fixbook.measures import Measures, placeholders
from fixbook.problem import BookError, Problem

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fixbook.book import Book, BookEntry
    from fixbook.entry import Text
    from fixbook.yaml_source import Key


def claimed_measures(book: Book) -> Iterator[Problem]:
    """Check that texts can be filled in and that recorded measures meet the claims."""
    for item in book.entries.values():
        measures = Measures.of(item)
        for key, text in texts_of(item.entry):
            yield from _fillable(item, measures, key, text)
        yield from _met(item, measures)


def _fillable(item: BookEntry, measures: Measures, key: Key, text: Text) -> Iterator[Problem]:
    for placeholder in dict.fromkeys(placeholders(text.zh) + placeholders(text.en)):
        try:
            measures.show(placeholder)
        except BookError as error:
            for problem in error.problems:
                what = f"{'.'.join(map(str, key))}: {problem.what}"
                yield Problem(item.source.where(key), what, problem.mend)


def _met(item: BookEntry, measures: Measures) -> Iterator[Problem]:
    for step, claims in item.entry.steps.items():
        recorded = measures.recorded(step)
        for name, text in claims.expect.items() if recorded is not None else ():
            value = (recorded or {}).get(name)
            if not Condition.parse(text).holds(value):
                where = item.source.where(("steps", step, "expect", name))
                what = f"{step}.{name} is recorded as {value!r}, claimed {text}"
                yield Problem(where, what, "correct the claim, or the recipe, and record again")
