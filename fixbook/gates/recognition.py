"""Logs lead to the right entry, and to no other."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fixbook.index.build import index_of
from fixbook.log.diagnose import Diagnosis, diagnose
from fixbook.problem import Problem
from fixbook.recipe.declared_logs import declared_logs
from fixbook.recipe.evidence import load_evidence

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fixbook.book import Book, BookEntry


def own_logs(book: Book) -> Iterator[Problem]:
    """Check that every log of an entry is recognised as this entry, or as the declared symptom."""
    index = index_of(book)
    for item in book.entries.values():
        for where, text, symptom in _failing_logs(item):
            seen = diagnose(text, index)
            if not seen.names(item.slug, symptom):
                wanted = f"{item.slug!r}" + (f" or the symptom {symptom!r}" if symptom else "")
                what = f"is recognised as {_best(seen)}, expected {wanted}"
                yield Problem(where, what, "widen a signature, or declare the symptom with 'as'")


def quiet_on_others(book: Book) -> Iterator[Problem]:
    """Check that no signature hits another entry's log, or the log of a run that went well."""
    index = index_of(book)
    overlaps = {
        (item.slug, other)
        for item in book.entries.values()
        for signature in item.entry.signatures
        for other in signature.overlaps
    }
    for item in book.entries.values():
        for where, text, _ in _failing_logs(item):
            for match in diagnose(text, index).matches:
                other = match.owner
                if match.specific and other != item.slug and (other, item.slug) not in overlaps:
                    signature = f"signature {match.signature!r} of {other!r}"
                    what = f"{signature} hits line {match.line.number}"
                    mend = f"narrow it, or declare overlaps: [{item.slug}] on that signature"
                    yield Problem(where, what, mend)
        for where, text in _clean_logs(item):
            for match in diagnose(text, index).matches:
                if match.specific:
                    what = f"is a clean run, yet {match.owner!r} is recognised in it"
                    yield Problem(where, what, f"narrow the signature {match.signature!r}")


def _failing_logs(item: BookEntry) -> Iterator[tuple[str, str, str | None]]:
    """The entry's log files, and what its reproduce steps really printed."""
    for log, text in declared_logs(item):
        if log.file:
            yield str(item.folder / log.file), text, log.symptom
    for machine, evidence in load_evidence(item).items():
        for name, step in evidence.steps.items():
            claims = item.entry.steps.get(name)
            if step.kind == "reproduce" and step.verdict == "passed" and claims and claims.fails:
                yield _where(item, machine, name), step.log, claims.fails.symptom


def _clean_logs(item: BookEntry) -> Iterator[tuple[str, str]]:
    for machine, evidence in load_evidence(item).items():
        for name, step in evidence.steps.items():
            if step.kind == "fix" and step.verdict == "passed":
                yield _where(item, machine, name), step.log


def _where(item: BookEntry, machine: str, step: str) -> str:
    return f"{item.folder / 'evidence' / machine}.json step {step}"


def _best(seen: Diagnosis) -> str:
    return repr(seen.best.owner) if seen.best else "nothing"
