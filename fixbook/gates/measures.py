"""Every text that names a measure can be filled in from recorded evidence."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fixbook.gates.texts import texts_of
from fixbook.problem import Problem
from fixbook.recipe.record import Measures
from fixbook.text import LANGS, _

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fixbook.book import BookEntry, Key, Text
    from fixbook.gates.reading import Reading


def claimed_measures(reading: Reading) -> Iterator[Problem]:
    """Check that texts can be filled in; whether claims are met is the question of `records`."""
    for item in reading.entries:
        measures = Measures(item.slug, reading.evidence(item))
        for key, text in texts_of(item.entry):
            yield from _fillable(item, measures, key, text)


def _fillable(item: BookEntry, measures: Measures, key: Key, text: Text) -> Iterator[Problem]:
    problems: list[Problem] = []
    for lang in LANGS:
        measures.fill(text.of(lang), lang, problems, item.source.where(key))
    name = ".".join(map(str, key))
    for problem in dict.fromkeys(problems):
        what = _("{where}: {what}").format(where=name, what=problem.what)
        yield Problem(problem.where, what, problem.mend)
