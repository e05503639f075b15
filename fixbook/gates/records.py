"""Records are as a run wrote them, and still show what the entry says, beside their controls."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fixbook.problem import Problem
from fixbook.recipe.record import (
    Outcome,
    StepResult,
    Verdict,
    discriminates,
    judge,
    recorded_control,
    seal_holds,
)
from fixbook.text import _, in_language, language

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fixbook.book import BookEntry
    from fixbook.gates.reading import Reading
    from fixbook.recipe.author import Step
    from fixbook.recipe.record import Evidence


def records_hold(reading: Reading) -> Iterator[Problem]:
    """Judge every record again, by what the entry says now; nothing is run.

    Whether the code is still the one that ran is the question of `freshness`.
    """
    for item in reading.entries:
        steps = reading.outline(item).steps
        for machine, evidence in reading.evidence(item).items():
            path = item.folder / "evidence" / f"{machine}.json"
            mend = _("run 'fixbook verify --record {slug}'; evidence is never typed")
            mend = mend.format(slug=item.slug)
            for what in _misplaced(item, machine, evidence):
                yield Problem(str(path), what, mend)
            for name in evidence.steps:
                if not seal_holds(evidence, name):
                    what = _("is not as a run has recorded it")
                elif name in steps:
                    what = _objection(item, steps[name], evidence, reading)
                else:
                    continue
                if what:
                    where = _("{file} step {step}").format(file=path, step=name)
                    again = _(
                        "run 'fixbook verify --record {slug} --step {step}'; "
                        "evidence is never typed"
                    )
                    yield Problem(where, what, again.format(slug=item.slug, step=name))


def _misplaced(item: BookEntry, machine: str, evidence: Evidence) -> Iterator[str]:
    if evidence.entry != item.slug:
        yield _("is the evidence of {name!r}").format(name=evidence.entry)
    if evidence.machine.name != machine:
        what = _("is the evidence of the machine {name!r}")
        yield what.format(name=evidence.machine.name)


def _objection(item: BookEntry, step: Step, evidence: Evidence, reading: Reading) -> str:
    """Say why a record that counts as passed would not pass now."""
    record = evidence.steps[step.name]
    if record.verdict != "passed" or step.name not in item.entry.steps:
        return ""
    if record.kind != step.kind:
        what = _("was recorded as a {recorded}, and is a {kind}")
        return what.format(recorded=record.kind, kind=step.kind)
    outcome = Outcome(
        record.exit_code,
        record.signal,
        record.stopped,
        record.seconds or 0,
        record.peak_mib or 0,
        record.log,
    )
    verdict = judge(item, step, outcome, record.measures, reading.diagnosis(record.log))
    if verdict.status == "passed" and step.control:
        verdict = _beside_its_control(item, step, evidence, verdict)
    if verdict.status == "passed":
        return ""
    return _("would not pass: {reason}").format(reason=in_language(verdict.reason, language()))


def _beside_its_control(
    item: BookEntry, step: Step, evidence: Evidence, verdict: Verdict
) -> Verdict:
    measures = evidence.steps[step.name].measures
    result = StepResult(item.slug, step, verdict, measures=measures)
    control = recorded_control(evidence, step.control)
    return discriminates(item.entry.steps[step.name], result, control)
