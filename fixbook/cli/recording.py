"""Write what a run showed into the evidence of an entry, and say what was not written."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING

import click

from fixbook.environment import machine
from fixbook.recipe.digest import digests_of
from fixbook.recipe.evidence import load_evidence, machine_record, merge, record

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from fixbook.book import BookEntry
    from fixbook.recipe.evidence import Evidence
    from fixbook.recipe.outline import Outline
    from fixbook.recipe.result import StepResult


def record_results(
    item: BookEntry,
    outline: Outline,
    results: Sequence[StepResult],
    digests: Mapping[str, str],
    machine_name: str | None = None,
) -> None:
    """Record the steps that held, beside what was recorded before.

    Args:
        item: The entry.
        outline: Its recipe.
        results: One per step that ran.
        digests: Digest of every step before the run.
        machine_name: Name of the evidence file; by default ``cpu`` or the GPU's model.
    """
    here = machine_record(machine(), machine_name)
    previous = load_evidence(item).get(here.name)
    now = digests_of(item, outline)
    unchanged = [one for one in results if digests.get(one.step.name) == now[one.step.name]]
    for line in _not_recorded(results, unchanged, previous):
        click.echo(f"{item.slug}: {line}", err=True)
    gone = sorted(set(previous.steps) - set(outline.steps)) if previous else []
    if gone:
        click.echo(f"{item.slug}: dropped, no longer in the recipe: {', '.join(gone)}", err=True)
    held = [one for one in unchanged if one.verdict.status != "failed"]
    if not held and not gone:
        click.echo(f"{item.slug}: nothing to record", err=True)
        return
    evidence = merge(previous, item, outline, held, here, dt.datetime.now(dt.UTC))
    path = record(item, evidence)
    passed = sum(one.verdict.status == "passed" for one in held)
    click.echo(f"{item.slug}: recorded {passed} of {len(outline.steps)} steps in {path}", err=True)


def _not_recorded(
    results: Sequence[StepResult], unchanged: Sequence[StepResult], previous: Evidence | None
) -> list[str]:
    lines = []
    for one in results:
        name, status = one.step.name, one.verdict.status
        old = previous.steps.get(name) if previous else None
        kept = f"; its record of {old.recorded} stays" if old else ""
        if one not in unchanged:
            lines.append(f"{name} not recorded: its files changed during the run{kept}")
        elif status == "failed":
            lines.append(f"{name} not recorded: it failed{kept}")
        elif status == "skipped" and old and old.verdict == "passed":
            lines.append(f"{name} skipped ({one.verdict.reason}){kept}")
    return lines
