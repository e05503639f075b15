"""A case decides between fixes only if some log of the entry shows it and not every log does."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fixbook.book import with_places
from fixbook.index.cases import case_rows
from fixbook.log.cases import case_of, shown_by, standing_of
from fixbook.problem import Problem
from fixbook.recipe.record import declared_logs
from fixbook.text import _

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fixbook.book import BookEntry, Case, Key
    from fixbook.gates.reading import Reading
    from fixbook.log.cases import Shown


def cases_decide(reading: Reading) -> Iterator[Problem]:
    """Check that each case is met by a log of its entry, and that none is met by all of them."""
    for item in reading.asked:
        if item.entry.cases():
            shown = list(_shown(item, reading))
            for key, cases in _given(item):
                yield from _of(item, key, cases, shown)
        yield from _filled(item)


def _given(item: BookEntry) -> Iterator[tuple[Key, list[Case]]]:
    entry = item.entry
    yield from ((("fixes", at), fix.when) for at, fix in enumerate(entry.fixes))
    yield from ((("non_fixes", at), one.when) for at, one in enumerate(entry.non_fixes))
    yield ("detect",), entry.detect.when


def _shown(item: BookEntry, reading: Reading) -> Iterator[Shown]:
    """What each log of an entry shows that is recognised as the entry."""
    records = reading.evidence(item)
    texts = dict.fromkeys(text for _log, text in declared_logs(item, records))
    texts |= dict.fromkeys(
        step.log for one in records.values() for step in one.steps.values() if step.log
    )
    for text in texts:
        diagnosis = reading.diagnosis(text)
        best = diagnosis.best
        if best and best.specific and best.owner == item.slug:
            yield shown_by(best, diagnosis)


def _of(item: BookEntry, key: Key, cases: list[Case], shown: list[Shown]) -> Iterator[Problem]:
    rows = case_rows(cases)
    for index, row in enumerate(rows):
        if not any(case_of(row["all"], one) == "met" for one in shown):
            what = _("no log of the entry meets this case: {says!r}")
            mend = _("add a log that shows it under 'logs', or correct the condition")
            where = item.source.where((*key, "when", index))
            yield Problem(where, what.format(says=cases[index].says.en), mend)
    if len(shown) > 1 and rows and all(standing_of(rows, one) == "met" for one in shown):
        what = _("every log of the entry meets this 'when', so it decides nothing")
        mend = _("narrow it, add a log of another case, or leave it out")
        yield Problem(item.source.where((*key, "when")), what, mend)


def _filled(item: BookEntry) -> Iterator[Problem]:
    """What is to be the reader's own stands in the code."""
    entry = item.entry
    for name, snippet in entry.snippets.items():
        for literal in snippet.fills:
            if with_places(snippet.code, {literal: snippet.fills[literal]}) == snippet.code:
                what = _("{literal!r} does not stand in the code as a word of its own")
                mend = _("write it as the code has it, or leave it out")
                where = item.source.where(("snippets", name, "fills"))
                yield Problem(where, what.format(literal=literal), mend)
