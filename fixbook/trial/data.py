"""A run as data, for programs: ``fixbook run SLUG --json``."""

from __future__ import annotations

import platform
from typing import TYPE_CHECKING, Any

from fixbook.environment import machine
from fixbook.recipe.running import missing_releases
from fixbook.trial.bounds import bound_row, outside_here
from fixbook.trial.outcome import counts, exit_code
from fixbook.trial.versions import own_versions, recorded_versions

if TYPE_CHECKING:
    from fixbook.recipe.record import Observation, StepResult
    from fixbook.trial.stage import Stage

SCHEMA_VERSION = 1


def run_row(stage: Stage, every: dict[str, tuple[StepResult, Observation]]) -> dict[str, Any]:
    """Return a run as plain data.

    Args:
        stage: The entry and its steps.
        every: By step, how it ended and what it shows.
    """
    recorded = next(iter(stage.evidence.values()), None)
    seen = [one for _result, one in every.values()]
    numbers = counts(list(every.values()))
    return {
        "schema_version": SCHEMA_VERSION,
        "entry": stage.item.slug,
        "yours": {
            "python": platform.python_version(),
            "gpus": [gpu.name for gpu in machine().gpus],
            "versions": own_versions(stage),
        },
        "evidence": recorded
        and {
            "recorded": recorded.recorded,
            "python": recorded.machine.python,
            "versions": recorded_versions(stage),
        },
        "outside": [bound_row(one) for one in outside_here(stage)],
        "steps": [_step(stage, *every[step.name]) for step in stage.run if step.name in every]
        + [
            {
                "step": step.name,
                "kind": step.kind,
                "result": "not run",
                "reason": f"needs {', '.join(missing_releases(step.needs.versions))}",
            }
            for step in stage.other
        ],
        "summary": {name: {"as_said": n, "ran": ran} for name, (n, ran) in numbers.items()},
        "as_on_the_page": bool(seen) and all(one.as_on_the_page for one in seen),
        "exit_code": exit_code(seen),
    }


def _step(stage: Stage, result: StepResult, seen: Observation) -> dict[str, Any]:
    entry = stage.item.entry
    title = entry.title_of(result.step.name, result.step.target)
    simulated = entry.simulated_in(result.step.name)
    return {
        **result_row(result),
        "target": result.step.target or None,
        "title": title.model_dump() if title else None,
        "result": seen.shows,
        "reason": seen.reason,
        "bounded": seen.bounded,
        "line": result.line,
        "differs": [
            {"measure": one.measure or None, "expected": one.expected or None, "said": one.said}
            for one in seen.differs
        ],
        "as_on_the_page": seen.as_on_the_page,
        "releases": list(result.step.needs.versions),
        "simulated": simulated.model_dump() if simulated else None,
    }


def result_row(result: StepResult) -> dict[str, Any]:
    """Return how a step ended as plain data, for those who write entries, too."""
    outcome = result.outcome
    return {
        "entry": result.slug,
        "step": result.step.name,
        "kind": result.step.kind,
        "verdict": result.verdict.status,
        "reason": result.verdict.reason,
        "exit_code": outcome.exit_code if outcome else None,
        "signal": outcome.signal if outcome else None,
        "stopped": outcome.stopped if outcome else None,
        "seconds": outcome.seconds if outcome else None,
        "peak_mib": outcome.peak_mib if outcome else None,
        "cpu_seconds": outcome.cpu_seconds if outcome else None,
        "start": outcome.start if outcome else None,
        "recognised": result.recognised,
        "measures": result.measures,
        "log": result.log,
    }
