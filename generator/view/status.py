"""What has been seen of a step: where, when, and whether it still counts.

A step that no machine has run is never shown as passed, and neither is one whose evidence is
older than what it claims to prove.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Iterable

    from fixbook.recipe.author import Step
    from fixbook.recipe.record import Evidence, StepRecord
    from generator.view.library import Dossier

State = Literal["passed", "stale", "skipped", "no-gpu", "not-run"]
OLD_DAYS = 90  # after which evidence is marked: libraries have had releases since
_BEST_FIRST: tuple[State, ...] = ("passed", "stale", "no-gpu", "skipped", "not-run")


@dataclass(frozen=True, slots=True)
class Sighting:
    """A step on one machine.

    Attributes:
        state: ``passed``, ``stale`` (passed before something changed), ``skipped``, ``no-gpu``
            (needs a GPU and has not run on one) or ``not-run``.
        machine: Name of the machine; empty if the step is in no record at all.
        evidence: The record of that machine.
        record: The step in it.
        reasons: Why it was skipped, or what has changed since.
    """

    state: State
    machine: str = ""
    evidence: Evidence | None = None
    record: StepRecord | None = None
    reasons: tuple[str, ...] = ()

    @property
    def date(self) -> str:
        """Day of the record, as ``2026-11-21``; empty if there is none."""
        if self.evidence is None:
            return ""
        day = self.record.recorded if self.record else ""
        return (day or self.evidence.recorded)[:10]

    @property
    def seen(self) -> bool:
        """Whether the step has run, on whatever version of the recipe."""
        return self.state in {"passed", "stale"}


def is_old(day: str, today: dt.date | None = None) -> bool:
    """Tell whether evidence is so old that a page says so.

    Args:
        day: When it was recorded, such as ``2026-11-21``.
        today: The day of the build, in UTC.
    """
    today = today or dt.datetime.now(dt.UTC).date()
    return (today - dt.date.fromisoformat(day)).days > OLD_DAYS


def needs_gpu(step: Step) -> bool:
    """Tell whether a step can only run on a GPU."""
    return step.needs.on.startswith("cuda")


def on_gpus(dossier: Dossier) -> list[tuple[Evidence, int]]:
    """Return the machines on whose GPUs steps ran, each with how many."""
    ran = (
        (one, sum(record.device == "cuda" for record in one.steps.values()))
        for one in dossier.evidence.values()
    )
    return [(one, steps) for one, steps in ran if steps]


def sightings(dossier: Dossier, step: Step) -> list[Sighting]:
    """Return what each machine has seen of a step, best first; at least one item."""
    found = [_sighting(dossier, step, name) for name in dossier.evidence]
    found = [one for one in found if one.record is not None]
    if not found:
        return [Sighting("no-gpu" if needs_gpu(step) else "not-run")]
    return sorted(found, key=lambda one: _BEST_FIRST.index(one.state))


def best(dossier: Dossier, step: Step) -> Sighting:
    """Return the strongest sighting of a step."""
    return sightings(dossier, step)[0]


def _sighting(dossier: Dossier, step: Step, machine: str) -> Sighting:
    evidence = dossier.evidence[machine]
    record = evidence.steps.get(step.name)
    if record is None:
        return Sighting("not-run", machine, evidence)
    if record.verdict == "skipped":
        state: State = "no-gpu" if needs_gpu(step) and not evidence.machine.gpus else "skipped"
        return Sighting(state, machine, evidence, record, (record.reason,))
    why = dossier.stale.get(machine, {}).get(step.name)
    reasons = (why,) if why else ()
    return Sighting("stale" if why else "passed", machine, evidence, record, reasons)


def worst(states: Iterable[State]) -> State:
    """Return the weakest of some states: what may be said of all of them together."""
    return max(states, key=_BEST_FIRST.index, default="not-run")


@dataclass(frozen=True, slots=True)
class Count:
    """How many steps of an entry have been seen.

    Attributes:
        passed: Seen, on the recipe as it is now.
        stale: Seen before something changed.
        gpu: Not yet run on a GPU.
        other: Skipped or never run for another reason.
    """

    passed: int
    stale: int
    gpu: int
    other: int

    @property
    def total(self) -> int:
        """All steps."""
        return self.passed + self.stale + self.gpu + self.other


def count(dossier: Dossier) -> Count:
    """Count the steps of an entry by state."""
    states = [best(dossier, step).state for step in dossier.outline.steps.values()]
    return Count(
        passed=states.count("passed"),
        stale=states.count("stale"),
        gpu=states.count("no-gpu"),
        other=states.count("skipped") + states.count("not-run"),
    )
