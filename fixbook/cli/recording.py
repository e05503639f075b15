"""Write what a run shows into the evidence of entries after each step, and say what was not."""

from __future__ import annotations

import datetime as dt
import hashlib
import os
from collections import Counter, defaultdict
from typing import TYPE_CHECKING

import click
from filelock import FileLock

from fixbook.environment import machine
from fixbook.files import cache_folder
from fixbook.recipe.reading import digests_of
from fixbook.recipe.record import load_evidence, machine_record, merge, write_evidence
from fixbook.text import _, in_language, language

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from fixbook.book import BookEntry
    from fixbook.cli.plan import Planned
    from fixbook.recipe.record import MachineRecord, StepResult


class Recorder:
    """Records each step that held as soon as it has ended: a run that is cut off loses nothing.

    Args:
        machine_name: Name of the evidence files; by default ``cpu`` or the GPU's model.
    """

    def __init__(self, machine_name: str | None) -> None:
        self._name = machine_name
        here = machine_record(machine(), machine_name)
        self._machines = {here.name: here}
        self._passed: Counter[tuple[str, str]] = Counter()
        self._kept: defaultdict[str, list[str]] = defaultdict(list)

    def add(self, planned: Planned, result: StepResult) -> None:
        """Record one result if it held, or remember why not.

        Args:
            planned: The entry; a step of it that has changed during the run is not recorded.
            result: The result.
        """
        name, status = result.step.name, result.verdict.status
        here = machine_of(result, self._name)
        self._machines[here.name] = here
        evidence = load_evidence(planned.item).get(here.name)
        old = evidence.steps.get(name) if evidence else None
        if not unchanged(planned, name):
            said = _("{step} not recorded: its files changed during the run")
        elif status == "failed":
            said = _("{step} not recorded: it failed")
        elif status == "skipped" and old and old.verdict == "passed":
            said = _("{step} skipped ({reason})")
        else:
            write(planned, [result], here)
            self._passed[result.slug, here.name] += status == "passed"
            return
        line = said.format(step=name, reason=in_language(result.verdict.reason, language()))
        stays = _("; its record of {recorded} stays").format(recorded=old.recorded) if old else ""
        self._kept[result.slug].append(line + stays)

    def kept(self) -> str:
        """Say what is left of a run that was cut off."""
        return _("what ended before is recorded")

    def finish(self, planned: Iterable[Planned], _results: Iterable[StepResult]) -> None:
        """Drop the records of steps that are gone, and say what was recorded and what was not.

        Args:
            planned: The entries of the run.
        """
        for one in planned:
            slug = one.item.slug
            for line in self._kept[slug]:
                click.echo(f"{slug}: {line}", err=True)
            of_machines = [self._ending(one, here) for here in self._machines.values()]
            for line in [*filter(None, of_machines)] or [_("nothing to record")]:
                click.echo(f"{slug}: {line}", err=True)

    def _ending(self, planned: Planned, here: MachineRecord) -> str | None:
        evidence = load_evidence(planned.item).get(here.name)
        steps = planned.outline.steps
        gone = sorted(evidence.steps.keys() - steps.keys()) if evidence else []
        if gone:
            write(planned, [], here)
            return _("dropped, no longer in the recipe: {names}").format(names=", ".join(gone))
        if (key := (planned.item.slug, here.name)) not in self._passed:
            return None
        path = planned.item.evidence[-1] / f"{here.name}.json"
        said = _("recorded {passed} of {all} steps in {path}")
        return said.format(passed=self._passed[key], all=len(steps), path=path)


def machine_of(result: StepResult, name: str | None) -> MachineRecord:
    """Describe the machine that a step ran on, this one or a node of a cluster.

    Args:
        result: What the step showed.
        name: Name of the evidence files; by default ``cpu`` or the GPU's model.
    """
    return machine_record(result.node.machine if result.node else machine(), name)


def unchanged(planned: Planned, step_name: str) -> bool:
    """Tell whether what a step uses is still what it was before the run."""
    now = digests_of(planned.item, planned.outline)
    return planned.digests.get(step_name) == now[step_name]


def write(planned: Planned, results: Sequence[StepResult], here: MachineRecord) -> None:
    """Put results into the evidence of an entry, beside what was recorded before.

    Another run may record steps of the same entry meanwhile: one waits for the other.

    Args:
        planned: The entry.
        results: What has run of it.
        here: The machine.
    """
    item = planned.item
    with FileLock(_lock_of(item)):
        previous = load_evidence(item).get(here.name)
        now = dt.datetime.now(dt.UTC)
        write_evidence(item, merge(previous, item, planned.outline, results, here, now))


def _lock_of(item: BookEntry) -> Path:
    """Return the lock of an entry's evidence: outside of the book, which it would litter."""
    folder = cache_folder() / "records"
    folder.mkdir(parents=True, exist_ok=True)
    name = hashlib.sha256(os.fsencode(item.evidence[-1].resolve())).hexdigest()[:16]
    return folder / f"{name}.lock"
