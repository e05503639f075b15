"""Put what a run has shown into what was recorded before."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fixbook.recipe.reading.digest import digests_of, entry_uses
from fixbook.recipe.reading.libraries import versions_for
from fixbook.recipe.record.evidence import Evidence, StepRecord, versions_of
from fixbook.recipe.record.seal import seal

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Iterable

    from fixbook.book import BookEntry
    from fixbook.recipe.reading.outline import Outline
    from fixbook.recipe.record.evidence import MachineRecord
    from fixbook.recipe.record.result import StepResult


def merge(
    previous: Evidence | None,
    item: BookEntry,
    outline: Outline,
    results: Iterable[StepResult],
    machine: MachineRecord,
    now: dt.datetime,
) -> Evidence:
    """Put the results of a run into what was recorded before.

    A step that passed replaces its record. One that failed is never recorded, and one that was
    skipped does not replace a run: their records stay, and count for as long as they are current.

    Args:
        previous: What was recorded on this machine before, if anything.
        item: The entry.
        outline: Its recipe.
        results: One per step that ran.
        machine: Where they ran.
        now: When, in UTC.

    Raises:
        BookError: A Python file of the entry cannot be read.
    """
    uses = entry_uses(item, outline)
    digests = digests_of(item, outline, uses)
    snippets = item.entry.snippets
    time = now.strftime("%Y-%m-%dT%H:%M:%SZ")
    steps, here = _kept(previous, machine), versions_of(outline)
    for result in results:
        name, status = result.step.name, result.verdict.status
        old = steps.get(name)
        if status == "failed" or (status == "skipped" and old and old.verdict == "passed"):
            continue
        versions = result.node.versions if result.node else versions_for(outline, uses[name])
        here |= versions
        seen = _step_record(result).model_copy(
            update={
                "recorded": time,
                "digest": digests[name],
                "snippets": {name: snippets[name].digest for name in result.snippets},
                "versions": dict(versions),
            }
        )
        steps[name] = seal(seen, item.slug, name, machine)
    return Evidence(
        entry=item.slug,
        recorded=time,
        machine=machine,
        versions=here,
        steps={name: steps[name] for name in outline.steps if name in steps},
    )


def _kept(previous: Evidence | None, machine: MachineRecord) -> dict[str, StepRecord]:
    """Earlier records; they say themselves when, and on what, if that was another machine."""
    if previous is None:
        return {}
    elsewhere = None if previous.machine == machine else previous.machine
    return {
        name: record.model_copy(
            update={
                "recorded": record.recorded or previous.recorded,
                "machine": record.machine or elsewhere,
            }
        )
        for name, record in previous.steps.items()
    }


def _step_record(result: StepResult) -> StepRecord:
    step, outcome = result.step, result.outcome
    if outcome is None or result.verdict.status != "passed":
        return StepRecord(kind=step.kind, verdict="skipped", reason=result.verdict.reason)
    return StepRecord(
        kind=step.kind,
        verdict="passed",
        reason=result.verdict.reason,
        control=step.control or None,
        start=outcome.start,
        cpu_seconds=outcome.cpu_seconds,
        exit_code=outcome.exit_code,
        signal=outcome.signal,
        stopped=outcome.stopped,
        seconds=outcome.seconds,
        peak_mib=outcome.peak_mib,
        recognised=result.recognised,
        overlay=list(step.needs.versions),
        measures=result.measures,
        log=result.log,
        device=result.device,
    )
