"""Judge whether a step showed what the entry says of it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from fixbook.book import Expectation
from fixbook.recipe.process.worker import WRONG_VERSION
from fixbook.recipe.record.result import Objection, Verdict
from fixbook.text import joined, say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fixbook.book import BookEntry, Fails, StepClaims
    from fixbook.log.diagnosis import Diagnosis
    from fixbook.recipe.author.steps import Step
    from fixbook.recipe.process.outcome import Outcome
    from fixbook.recipe.record.result import Kind
    from fixbook.text import Sentence

_TIMED_OUT = "timeout"


def judge(
    item: BookEntry,
    step: Step,
    outcome: Outcome,
    measures: dict[str, Any],
    diagnosis: Diagnosis,
    device: str = "cpu",
) -> Verdict:
    """Compare a run with the entry.

    Args:
        item: The entry.
        step: The step that ran.
        outcome: How its process ended.
        measures: What it recorded.
        diagnosis: What its log was recognised as.
        device: Where it ran: ``cpu`` or ``cuda``.

    Returns:
        ``passed`` only if everything the entry claims of this step was seen.
    """
    claims = item.entry.steps.get(step.name)
    if claims is None:
        said = say("the entry says nothing of step {step!r}; add it to 'steps'", step=step.name)
        return failing_verdict(Objection("undocumented", said))
    claims = claims.on(device)
    objections = list(_objections(item, step, claims, outcome, measures, diagnosis))
    if objections:
        return failing_verdict(*objections)
    return Verdict("passed", _success(step, outcome, diagnosis))


def failing_verdict(*objections: Objection) -> Verdict:
    """Return the verdict on a step that something speaks against."""
    return Verdict("failed", joined(one.said for one in objections), objections)


def _objections(
    item: BookEntry,
    step: Step,
    claims: StepClaims,
    outcome: Outcome,
    measures: dict[str, Any],
    diagnosis: Diagnosis,
) -> Iterator[Objection]:
    if outcome.exit_code == WRONG_VERSION:
        log = outcome.log.strip()
        yield Objection("version", log.splitlines()[-1] if log else say("wrong version"))
        return
    if outcome.stopped and outcome.stopped != _TIMED_OUT:
        said = say(
            "the step was {outcome}; lower what it uses or raise the limit in its decorator",
            outcome=outcome.said(),
        )
        yield Objection("limit", said)
        return
    fails = claims.fails
    if step.kind == "reproduce" and fails is None:
        said = say("a reproduce step needs 'fails' in the entry: how does it fail?")
        yield Objection("undocumented", said)
        return
    if fails is None:
        yield from _ends_clean(outcome)
    else:
        yield from _fails_as_said(step, fails, outcome)
    if step.kind == "reproduce":
        yield from _recognised(item.slug, fails, diagnosis)
    if step.kind == "fix" and diagnosis.hits(item.slug):
        yield Objection("signature", say("the log still holds a signature of the entry"))
    yield from _measured_as_claimed(step, claims, measures)
    if step.kind in {"fix", "non_fix"} and fails is None and not claims.expect:
        said = say("needs 'expect' in the entry: which measures show that it helps, or does not?")
        yield Objection("undocumented", said)


def _measured_as_claimed(
    step: Step, claims: StepClaims, measures: dict[str, Any]
) -> Iterator[Objection]:
    if step.kind == "detect":
        yield from _measure_holds("found", "found", Expectation("==", step.found), measures)
    for name, text in claims.expect.items():
        yield from _measure_holds("measure", name, Expectation.parse(text), measures)
    for name, text in claims.in_force.items():
        yield from _measure_holds("in force", name, Expectation.parse(text), measures)


def _ends_clean(outcome: Outcome) -> Iterator[Objection]:
    if outcome.failed:
        said = say(
            "expected exit code 0, got {outcome}: {last}",
            outcome=outcome.said(),
            last=last_line(outcome.log),
        )
        yield Objection("crash", said)


def _fails_as_said(step: Step, fails: Fails, outcome: Outcome) -> Iterator[Objection]:
    if not outcome.failed:
        said = say(
            "expected to fail and ended with exit code 0: {stale}; the guidance is stale",
            stale=say("no longer reproduces on these versions")
            if step.kind == "reproduce"
            else say("now helps"),
        )
        yield Objection("no failure", said)
        return
    seen = {
        "any": True,
        "nonzero": outcome.stopped is None,
        "signal": outcome.signal is not None,
        "timeout": outcome.stopped == _TIMED_OUT,
    }
    if not seen[fails.exit]:
        said = say(
            "expected to fail by {exit}, got {outcome}: {last}",
            exit=fails.exit,
            outcome=outcome.said(),
            last=last_line(outcome.log),
        )
        yield Objection("other failure", said)
    if fails.log and not re.search(fails.log, outcome.log):
        said = say(
            "the log does not hold {wanted!r}; its last line is: {last}",
            wanted=fails.log,
            last=last_line(outcome.log),
        )
        yield Objection("other failure", said)


def _recognised(slug: str, fails: Fails | None, diagnosis: Diagnosis) -> Iterator[Objection]:
    symptom = fails.symptom if fails else None
    if not diagnosis.names(slug, symptom):
        best = diagnosis.best
        seen = (
            say("{entry!r} (line {line})", entry=best.owner, line=best.line.number)
            if best
            else say("nothing")
        )
        said = say(
            "its log is recognised as {seen}, expected {wanted}; mend the signatures",
            seen=seen,
            wanted=wanted_entry(slug, symptom),
        )
        yield Objection("unrecognised", said)


def wanted_entry(slug: str, symptom: str | None) -> Sentence:
    """Say what a log has to be recognised as."""
    if symptom is None:
        return say("{entry!r}", entry=slug)
    return say("{entry!r} or the symptom {symptom!r}", entry=slug, symptom=symptom)


def _measure_holds(
    kind: Kind, name: str, condition: Expectation, measures: dict[str, Any]
) -> Iterator[Objection]:
    if name not in measures:
        said = say(
            "did not record the measure {name!r} (expected {condition})",
            name=name,
            condition=condition,
        )
        yield Objection(kind, said, name, str(condition))
    elif not condition.holds(measures[name]):
        said = say(
            "{name} is {value!r}, expected {condition}",
            name=name,
            value=measures[name],
            condition=condition,
        )
        yield Objection(kind, said, name, str(condition))


def _success(step: Step, outcome: Outcome, diagnosis: Diagnosis) -> Sentence:
    match step.kind:
        case "reproduce":
            best = diagnosis.best
            return say(
                "failed as documented ({outcome}), recognised as {entry}",
                outcome=outcome.said(),
                entry=best.owner if best else "?",
            )
        case "detect":
            if step.found:
                return say("the measurement found it")
            return say("the measurement did not find it")
        case "fix":
            return say("ran clean and met the claims")
        case _:
            return say("did not help, as the entry says")


def last_line(log: str) -> str:
    """Return the last line of a log that says something."""
    lines = [line.strip() for line in log.splitlines() if line.strip()]
    return lines[-1][:300] if lines else say("no output")
