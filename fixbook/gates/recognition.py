"""Logs lead to the right entry, and to no other."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fixbook.problem import Problem
from fixbook.recipe.record import declared_logs, wanted_entry
from fixbook.text import _, language

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from fixbook.book import BookEntry
    from fixbook.gates.reading import Reading
    from fixbook.log.diagnosis import Diagnosis
    from fixbook.recipe.record import Evidence


def own_logs(reading: Reading) -> Iterator[Problem]:
    """Check that every log of an entry is recognised as this entry, or as the declared symptom."""
    for item in reading.asked:
        for where, text, symptom in _failing_logs(item, reading.evidence(item)):
            seen = reading.diagnosis(text)
            if not seen.names(item.slug, symptom):
                wanted = wanted_entry(item.slug, symptom).of(language())
                what = _("is recognised as {seen}, expected {wanted}")
                what = what.format(seen=_best(seen), wanted=wanted)
                mend = _("widen a signature, or declare the symptom with 'as'")
                yield Problem(where, what, mend)


def quiet_on_others(reading: Reading) -> Iterator[Problem]:
    """Check that no signature hits another entry's log, or the log of a run that went well."""
    overlaps = {
        (item.slug, other)
        for item in reading.entries
        for signature in item.entry.signatures
        for other in signature.overlaps
    }
    for item in reading.entries:
        for where, text, _symptom in _failing_logs(item, reading.evidence(item)):
            for match in reading.hits(item, text).matches:
                other = match.owner
                if match.specific and other != item.slug and (other, item.slug) not in overlaps:
                    what = _("signature {signature!r} of {entry!r} hits line {line}")
                    what = what.format(
                        signature=match.signature, entry=other, line=match.line.number
                    )
                    mend = _("narrow it, or declare overlaps: [{slug}] on that signature")
                    yield Problem(where, what, mend.format(slug=item.slug))
        for where, text in _clean_logs(item, reading.evidence(item)):
            for match in reading.hits(item, text).matches:
                if match.specific:
                    what = _("is a clean run, yet {entry!r} is recognised in it")
                    mend = _("narrow the signature {signature!r}")
                    mend = mend.format(signature=match.signature)
                    yield Problem(where, what.format(entry=match.owner), mend)


def _failing_logs(
    item: BookEntry, records: Mapping[str, Evidence]
) -> Iterator[tuple[str, str, str | None]]:
    """The entry's log files, and what its reproduce steps really printed."""
    for log, text in declared_logs(item, records):
        if log.file:
            yield str(item.folder / log.file), text, log.symptom
    for machine, evidence in records.items():
        for name, step in evidence.steps.items():
            claims = item.entry.steps.get(name)
            if step.kind == "reproduce" and step.verdict == "passed" and claims and claims.fails:
                yield _where(item, machine, name), step.log, claims.fails.symptom


def _clean_logs(item: BookEntry, records: Mapping[str, Evidence]) -> Iterator[tuple[str, str]]:
    for machine, evidence in records.items():
        for name, step in evidence.steps.items():
            if step.kind == "fix" and step.verdict == "passed":
                yield _where(item, machine, name), step.log


def _where(item: BookEntry, machine: str, step: str) -> str:
    path = f"{item.folder / 'evidence' / machine}.json"
    return _("{file} step {step}").format(file=path, step=step)


def _best(seen: Diagnosis) -> str:
    return repr(seen.best.owner) if seen.best else _("nothing")
