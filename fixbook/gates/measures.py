"""Every claim that names a measure is carried by recorded evidence."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fixbook.condition import Condition
from fixbook.gates.texts import texts_of
from fixbook.i18n import _
from fixbook.languages import LANGS
from fixbook.measures import Measures
from fixbook.problem import Problem

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
    problems: list[Problem] = []
    for lang in LANGS:
        measures.fill(text.of(lang), lang, problems, item.source.where(key))
    name = ".".join(map(str, key))
    for problem in dict.fromkeys(problems):
        what = _("{where}: {what}").format(where=name, what=problem.what)
        yield Problem(problem.where, what, problem.mend)


def _met(item: BookEntry, measures: Measures) -> Iterator[Problem]:
    for step, claims in item.entry.steps.items():
        recorded = measures.recorded(step)
        for name, text in claims.expect.items() if recorded is not None else ():
            value = (recorded or {}).get(name)
            if not Condition.parse(text).holds(value):
                where = item.source.where(("steps", step, "expect", name))
                what = _("{step}.{name} is recorded as {value!r}, claimed {claimed}")
                what = what.format(step=step, name=name, value=value, claimed=text)
                mend = _("correct the claim, or the recipe, and record again")
                yield Problem(where, what, mend)
