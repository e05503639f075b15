"""Records are as a run wrote them, and still show what the entry says, beside their controls."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fixbook.problem import Problem
from fixbook.recipe.control import discriminates, recorded
from fixbook.recipe.outcome import Outcome
from fixbook.recipe.result import StepResult, Verdict
from fixbook.recipe.seal import intact
from fixbook.recipe.verdict import judge

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fixbook.book import BookEntry
    from fixbook.gates.reading import Reading
    from fixbook.recipe.evidence import Evidence
    from fixbook.recipe.steps import Step


def records_hold(reading: Reading) -> Iterator[Problem]:
    """Judge every record again, by what the entry says now; nothing is run.

    Whether the code is still the one that ran is the question of `freshness`.
    """
    for item in reading.entries:
        steps = reading.outline(item).steps
        for machine, evidence in reading.evidence(item).items():
            path = item.folder / "evidence" / f"{machine}.json"
            mend = f"run 'fixbook verify --record {item.slug}'; evidence is never typed"
            for what in _misplaced(item, machine, evidence):
                yield Problem(str(path), what, mend)
            for name in evidence.steps:
                if not intact(evidence, name):
                    what = "is not as a run has recorded it"
                elif name in steps:
                    what = _objection(item, steps[name], evidence, reading)
                else:
                    continue
                if what:
                    again = f"run 'fixbook verify --record {item.slug} --step {name}'"
                    yield Problem(f"{path} step {name}", what, f"{again}; evidence is never typed")


def _misplaced(item: BookEntry, machine: str, evidence: Evidence) -> Iterator[str]:
    if evidence.entry != item.slug:
        yield f"is the evidence of {evidence.entry!r}"
    if evidence.machine.name != machine:
        yield f"is the evidence of the machine {evidence.machine.name!r}"


def _objection(item: BookEntry, step: Step, evidence: Evidence, reading: Reading) -> str:
    """Say why a record that counts as passed would not pass now."""
    record = evidence.steps[step.name]
    if record.verdict != "passed" or step.name not in item.entry.steps:
        return ""
    if record.kind != step.kind:
        return f"was recorded as a {record.kind}, and is a {step.kind}"
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
    return "" if verdict.status == "passed" else f"would not pass: {verdict.reason}"


def _beside_its_control(
    item: BookEntry, step: Step, evidence: Evidence, verdict: Verdict
) -> Verdict:
    measures = evidence.steps[step.name].measures
    result = StepResult(item.slug, step, verdict, measures=measures)
    control = recorded(evidence, step.control)
    return discriminates(item.entry.steps[step.name], result, control)
