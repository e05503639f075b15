"""A table of names: what takes the place of a name was taken by the newest release, in its row."""

from __future__ import annotations

import functools
import itertools
import re
from typing import TYPE_CHECKING

from fixbook.problem import Problem
from fixbook.text import _

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fixbook.book import BookEntry
    from fixbook.gates.reading import Reading
    from fixbook.recipe.record import StepRecord

_WORD = re.compile(r"[a-z]{2,}")
_CLEARLY = 0.1  # by how much likeness has to favour the other order of two rows


def known_successors(reading: Reading) -> Iterator[Problem]:
    """Check the successors in tables of names against what the steps of the table asked."""
    for item in reading.entries:
        records = list(_asked(item, reading))
        if item.entry.names is None or not records:
            continue
        for old, new in item.entry.names.now.items():
            what = _objection(old, new, records)
            if what:
                mend = _("let the steps of the table ask for it, and record them anew")
                yield Problem(item.source.where(("names", "now", old)), what, mend)
        yield from _exchanged(item, records)


def _asked(item: BookEntry, reading: Reading) -> Iterator[StepRecord]:
    """The records of the steps of the table, oldest release first."""
    for name in item.entry.names.steps if item.entry.names else ():
        for evidence in reading.evidence(item).values():
            if name in evidence.steps and evidence.steps[name].verdict == "passed":
                yield evidence.steps[name]


def _objection(old: str, new: str, records: list[StepRecord]) -> str:
    does = {row["name"]: row["does"] for row in records[-1].measures.get("names", [])}
    if does.get(old) == "takes":
        return _("{old!r} is in the table, and the newest release takes it").format(old=old)
    if new and does.get(new) != "takes" and not _in_one_line(old, new, records):
        what = _("{new!r}, given for {old!r}, is nothing that the newest release was seen to take")
        return what.format(new=new, old=old)
    return ""


def _exchanged(item: BookEntry, records: list[StepRecord]) -> Iterator[Problem]:
    """Two rows whose names fit each other better the other way round, and no log joins them."""
    rows = [(old, new) for old, new in (item.entry.names.now if item.entry.names else {}).items()]
    loose = [row for row in rows if row[1] and not _in_one_line(*row, records)]
    for (old, new), (other, others) in itertools.combinations(loose, 2):
        written = _likeness(old, new) + _likeness(other, others)
        exchanged = _likeness(old, others) + _likeness(other, new)
        if new != others and exchanged > written + _CLEARLY:
            what = _("the successors of {old!r} and {other!r} look exchanged")
            what = what.format(old=old, other=other)
            mend = _("write each beside the name it took the place of")
            yield Problem(item.source.where(("names", "now", old)), what, mend)


def _in_one_line(old: str, new: str, records: list[StepRecord]) -> bool:
    """Tell whether a release itself printed both names in one line, as a warning does."""
    lines = itertools.chain.from_iterable(record.log.splitlines() for record in records)
    return any(_last(old) in line and _last(new) in line for line in lines)


def _last(name: str) -> str:
    return name.partition("=")[0].rpartition(".")[2]


@functools.cache
def _likeness(one: str, other: str) -> float:
    """How many of the words of two names are the same: letters alone are alike by chance."""
    words = [set(_WORD.findall(name.lower())) for name in (one, other)]
    return len(words[0] & words[1]) / len(words[0] | words[1])
