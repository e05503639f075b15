"""Write what a run showed into the evidence of an entry, and say what was not written."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING

import click

from fixbook.environment import machine
from fixbook.i18n import _, language
from fixbook.recipe.digest import digests_of
from fixbook.recipe.evidence import load_evidence, machine_record, merge, record
from fixbook.spoken import in_language

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
        _tell(item, line)
    gone = sorted(set(previous.steps) - set(outline.steps)) if previous else []
    if gone:
        _tell(item, _("dropped, no longer in the recipe: {names}").format(names=", ".join(gone)))
    held = [one for one in unchanged if one.verdict.status != "failed"]
    if not held and not gone:
        _tell(item, _("nothing to record"))
        return
    evidence = merge(previous, item, outline, held, here, dt.datetime.now(dt.UTC))
    path = record(item, evidence)
    passed = sum(one.verdict.status == "passed" for one in held)
    said = _("recorded {passed} of {all} steps in {path}")
    _tell(item, said.format(passed=passed, all=len(outline.steps), path=path))


def _tell(item: BookEntry, line: str) -> None:
    click.echo(f"{item.slug}: {line}", err=True)


def _not_recorded(
    results: Sequence[StepResult], unchanged: Sequence[StepResult], previous: Evidence | None
) -> list[str]:
    lines = []
    for one in results:
        name, status = one.step.name, one.verdict.status
        old = previous.steps.get(name) if previous else None
        if one not in unchanged:
            said = _("{step} not recorded: its files changed during the run")
        elif status == "failed":
            said = _("{step} not recorded: it failed")
        elif status == "skipped" and old and old.verdict == "passed":
            said = _("{step} skipped ({reason})")
        else:
            continue
        line = said.format(step=name, reason=in_language(one.verdict.reason, language()))
        kept = _("; its record of {recorded} stays").format(recorded=old.recorded) if old else ""
        lines.append(line + kept)
    return lines
