"""Which steps of an entry have to run: all, those that changed, a part, and not those run once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fixbook.environment import machine
from fixbook.recipe.record.result import StepResult, Verdict
from fixbook.recipe.record.staleness import stale_steps
from fixbook.recipe.record.store import load_evidence
from fixbook.text import Sentence, quote, say

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fixbook.book import BookEntry
    from fixbook.recipe.author.steps import Step
    from fixbook.recipe.reading.outline import Outline


def stale_here(item: BookEntry, outline: Outline, machine_name: str | None) -> dict[str, str]:
    """Return the steps whose record on this machine does not count any more, each with why.

    Args:
        item: The entry.
        outline: Its recipe.
        machine_name: Name of the evidence file; by default that of this machine.
    """
    evidence = load_evidence(item).get(machine_name or machine().name)
    return stale_steps(item, outline, evidence)


def changed_steps(steps: Sequence[Step], outline: Outline, why: dict[str, str]) -> list[Step]:
    """Pick the steps that have to run again, and the controls they are judged beside.

    Args:
        steps: What was asked for.
        outline: The recipe.
        why: See `stale_here`.
    """
    wanted = {step.name for step in steps if step.name in why}
    controls = {outline.steps[name].control for name in wanted}
    chosen = wanted | (controls & outline.steps.keys())
    return [step for step in outline.steps.values() if step.name in chosen]


def steps_run_once(
    item: BookEntry, steps: Sequence[Step], why: dict[str, str]
) -> dict[str, StepResult]:
    """Return the steps that are recorded once and not run every time, as skipped.

    Args:
        item: The entry.
        steps: Steps of it.
        why: Those whose record does not count (see `stale_here`); they have to run.
    """
    return {
        step.name: StepResult(item.slug, step, Verdict("skipped", _once(step)))
        for step in steps
        if step.needs.record_once and step.name not in why
    }


def _once(step: Step) -> Sentence:
    return say("recorded once, not on every run: {why}", why=quote(step.needs.record_once))
