"""Judge a step beside its control: what would have passed without the fix shows nothing."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

from fixbook.book import Expectation
from fixbook.recipe.record.result import Objection, StepResult, Verdict
from fixbook.recipe.record.store import load_evidence
from fixbook.text import quote, say

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from fixbook.book import BookEntry, StepClaims
    from fixbook.recipe.record.evidence import Evidence
    from fixbook.recipe.record.result import Status


@dataclasses.dataclass(frozen=True, slots=True)
class Control:
    """How a control ended, in this run or in the recorded one.

    Attributes:
        name: The step.
        verdict: Whether it showed what the entry says of it.
        failed: Whether its process ended with anything but 0.
        measures: What it recorded.
    """

    name: str
    verdict: Verdict
    failed: bool
    measures: dict[str, Any]


def _own_verdict(result: StepResult) -> Verdict:
    return result.verdict


def judge_beside_controls(
    results: Iterable[StepResult],
    items: dict[str, BookEntry],
    machine: str = "cpu",
    as_control: Callable[[StepResult], Verdict] = _own_verdict,
) -> Iterator[StepResult]:
    """Judge results beside their controls, each as soon as its control has ended.

    Args:
        results: Results as they come.
        items: The entries by slug.
        machine: Whose evidence speaks for a control that is not run this time.
        as_control: Says whether a step did what it is there for as a control; by default its own
            verdict does.

    Yields:
        Every result once; one whose control does not fail has failed itself.
    """
    done: dict[tuple[str, str], StepResult] = {}
    waiting: list[StepResult] = []
    for result in results:
        done[result.slug, result.step.name] = result
        waiting.append(result)
        ready = [one for one in waiting if _control_ended(one, done)]
        waiting = [one for one in waiting if one not in ready]
        yield from (_beside(one, done, items, machine, as_control) for one in ready)
    yield from (_beside(one, done, items, machine, as_control) for one in waiting)


def _control_ended(result: StepResult, done: dict[tuple[str, str], StepResult]) -> bool:
    return not result.step.control or (result.slug, result.step.control) in done


def _beside(
    result: StepResult,
    done: dict[tuple[str, str], StepResult],
    items: dict[str, BookEntry],
    machine: str,
    as_control: Callable[[StepResult], Verdict],
) -> StepResult:
    name = result.step.control
    if not name or result.verdict.status != "passed":
        return result
    item = items[result.slug]
    ran = done.get((result.slug, name))
    control = (
        _of_result(ran, as_control(ran))
        if ran
        else recorded_control(load_evidence(item).get(machine), name)
    )
    verdict = discriminates(item.entry.steps[result.step.name], result, control)
    return dataclasses.replace(result, verdict=verdict)


def _of_result(result: StepResult, verdict: Verdict) -> Control:
    failed = result.outcome is not None and result.outcome.failed
    return Control(result.step.name, verdict, failed, result.measures)


def recorded_control(evidence: Evidence | None, name: str) -> Control | None:
    """Return how a control ended when it was recorded; None if it was not.

    Args:
        evidence: The entry's records of one machine, if there are any.
        name: The control.
    """
    record = evidence.steps.get(name) if evidence else None
    if record is None:
        return None
    failed = record.exit_code != 0 or record.stopped is not None
    return Control(name, Verdict(record.verdict, record.reason), failed, record.measures)


def discriminates(claims: StepClaims, result: StepResult, control: Control | None) -> Verdict:
    """Say whether a step that passed shows anything its control does not.

    Args:
        claims: What the entry says of the step.
        result: The step; it passed.
        control: Its control; None if it has never run here.

    Returns:
        The step's own verdict, or why it does not count.
    """
    if control is None:
        said = say("its control {control!r} has not run here", control=result.step.control)
        return _objected("skipped", said)
    reason = quote(control.verdict.reason)
    if control.verdict.status == "skipped":
        return _objected("skipped", say("its control was skipped: {reason}", reason=reason))
    if control.verdict.status == "failed":
        said = say(
            "its control {control!r} did not show what the entry says: {reason}",
            control=control.name,
            reason=reason,
        )
        return _objected("failed", said)
    if result.step.kind == "non_fix":
        return _was_in_force(claims, result, control)
    if control.failed or _violated(claims.expect | _found(result), control.measures):
        return result.verdict
    said = say(
        "does not discriminate: its control {control!r} ends with 0 and meets the claims; "
        "expect what only the fixed step meets",
        control=control.name,
    )
    return _objected("failed", said)


def _objected(status: Status, said: str) -> Verdict:
    return Verdict(status, said, (Objection("control", said),))


def _found(result: StepResult) -> dict[str, str]:
    return {"found": "== false"} if result.step.kind == "detect" else {}


def _was_in_force(claims: StepClaims, result: StepResult, control: Control) -> Verdict:
    """Advice counts as tried only if a measure shows it, and shows it here alone."""
    if not claims.in_force:
        said = say("needs 'in_force': which measure shows that the advice was on?")
        return _objected("failed", said)
    if _violated(claims.in_force, control.measures) or not set(claims.in_force) <= set(
        control.measures
    ):
        return result.verdict
    said = say(
        "the advice is in force in its control {control!r} too; "
        "measure what only the advice changes",
        control=control.name,
    )
    return _objected("failed", said)


def _violated(conditions: dict[str, str], measures: dict[str, Any]) -> bool:
    """Whether one of the conditions is about a measure that was taken, and does not hold."""
    return any(
        name in measures and not Expectation.parse(text).holds(measures[name])
        for name, text in conditions.items()
    )
