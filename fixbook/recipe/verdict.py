"""Judge whether a step showed what the entry says of it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from fixbook.condition import Condition
from fixbook.recipe.result import Verdict
from fixbook.recipe.worker import WRONG_VERSION

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fixbook.book import BookEntry
    from fixbook.log.diagnose import Diagnosis
    from fixbook.proof import Fails, StepClaims
    from fixbook.recipe.outcome import Outcome
    from fixbook.recipe.steps import Step

_TIMED_OUT = "timeout"


def judge(
    item: BookEntry, step: Step, outcome: Outcome, measures: dict[str, Any], diagnosis: Diagnosis
) -> Verdict:
    """Compare a run with the entry.

    Args:
        item: The entry.
        step: The step that ran.
        outcome: How its process ended.
        measures: What it recorded.
        diagnosis: What its log was recognised as.

    Returns:
        ``passed`` only if everything the entry claims of this step was seen.
    """
    claims = item.entry.steps.get(step.name)
    if claims is None:
        return Verdict("failed", f"the entry says nothing of step {step.name!r}; add it to 'steps'")
    reasons = list(_objections(item, step, claims, outcome, measures, diagnosis))
    if reasons:
        return Verdict("failed", "; ".join(reasons))
    return Verdict("passed", _success(step, outcome, diagnosis))


def _objections(
    item: BookEntry,
    step: Step,
    claims: StepClaims,
    outcome: Outcome,
    measures: dict[str, Any],
    diagnosis: Diagnosis,
) -> Iterator[str]:
    if outcome.exit_code == WRONG_VERSION:
        yield outcome.log.strip().splitlines()[-1] if outcome.log.strip() else "wrong version"
        return
    if outcome.stopped and outcome.stopped != _TIMED_OUT:
        yield f"the step was {outcome}; lower what it uses or raise the limit in its decorator"
        return
    fails = claims.fails
    if step.kind == "reproduce" and fails is None:
        yield "a reproduce step needs 'fails' in the entry: how does it fail?"
        return
    if fails is None:
        yield from _ends_clean(outcome)
    else:
        yield from _fails_as_said(step, fails, outcome)
    if step.kind == "reproduce":
        yield from _recognised(item.slug, fails, diagnosis)
    if step.kind == "fix" and diagnosis.hits(item.slug):
        yield "the log still holds a signature of the entry"
    if step.kind == "detect":
        yield from _measure_holds("found", Condition("==", step.found), measures)
    for name, text in {**claims.expect, **claims.in_force}.items():
        yield from _measure_holds(name, Condition.parse(text), measures)
    if step.kind in {"fix", "non_fix"} and fails is None and not claims.expect:
        yield "needs 'expect' in the entry: which measures show that it helps, or does not?"


def _ends_clean(outcome: Outcome) -> Iterator[str]:
    if outcome.failed:
        yield f"expected exit code 0, got {outcome}: {last_line(outcome.log)}"


def _fails_as_said(step: Step, fails: Fails, outcome: Outcome) -> Iterator[str]:
    if not outcome.failed:
        stale = (
            "no longer reproduces on these versions" if step.kind == "reproduce" else "now helps"
        )
        yield f"expected to fail and ended with exit code 0: {stale}; the guidance is stale"
        return
    seen = {
        "any": True,
        "nonzero": outcome.stopped is None,
        "signal": outcome.signal is not None,
        "timeout": outcome.stopped == _TIMED_OUT,
    }
    if not seen[fails.exit]:
        yield f"expected to fail by {fails.exit}, got {outcome}: {last_line(outcome.log)}"
    if fails.log and not re.search(fails.log, outcome.log):
        yield f"the log does not hold {fails.log!r}; its last line is: {last_line(outcome.log)}"


def _recognised(slug: str, fails: Fails | None, diagnosis: Diagnosis) -> Iterator[str]:
    symptom = fails.symptom if fails else None
    if not diagnosis.names(slug, symptom):
        best = diagnosis.best
        seen = f"{best.owner!r} (line {best.line.number})" if best else "nothing"
        wanted = f"{slug!r}" + (f" or the symptom {symptom!r}" if symptom else "")
        yield f"its log is recognised as {seen}, expected {wanted}; mend the signatures"


def _measure_holds(name: str, condition: Condition, measures: dict[str, Any]) -> Iterator[str]:
    if name not in measures:
        yield f"did not record the measure {name!r} (expected {condition})"
    elif not condition.holds(measures[name]):
        yield f"{name} is {measures[name]!r}, expected {condition}"


def _success(step: Step, outcome: Outcome, diagnosis: Diagnosis) -> str:
    match step.kind:
        case "reproduce":
            best = diagnosis.best
            return f"failed as documented ({outcome}), recognised as {best.owner if best else '?'}"
        case "detect":
            return "the measurement found it" if step.found else "the measurement did not find it"
        case "fix":
            return "ran clean and met the claims"
        case _:
            return "did not help, as the entry says"


def last_line(log: str) -> str:
    """Return the last line of a log that says something."""
    lines = [line.strip() for line in log.splitlines() if line.strip()]
    return lines[-1][:300] if lines else "no output"
