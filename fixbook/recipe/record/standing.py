"""What has been run of an entry, in one word: computed from its evidence, never typed.

The same words stand in the list, the article and the JSON.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from fixbook.book import Entry
    from fixbook.recipe.reading.outline import Outline
    from fixbook.recipe.record.evidence import Evidence

Standing = Literal[
    "failure-on-gpu", "failure-on-cpu", "failure-partly-simulated", "mechanism", "nothing"
]


def standing(
    entry: Entry,
    outline: Outline,
    evidence: Mapping[str, Evidence],
    stale: Mapping[str, Mapping[str, str]],
) -> list[Standing]:
    """Return what recorded runs have shown of the failure, as the recipe is now.

    Args:
        entry: What is written of it; it names what is simulated.
        outline: The entry's recipe.
        evidence: Its recorded runs by machine.
        stale: By machine, the steps whose record no longer counts.

    Returns:
        Where the failure itself was reproduced (``failure-partly-simulated``: on a CPU, in no step
        without a simulated part); else ``mechanism`` if its measurement found it, else ``nothing``.
    """
    passed = {
        (name, step.device)
        for machine, one in evidence.items()
        for name, step in one.steps.items()
        if step.verdict == "passed" and name in outline.steps
        if name not in stale.get(machine, {})
    }
    names = {name for name, _device in passed}
    reproduced = _of_kind(outline, names, "reproduce")
    on_cpu = [name for name in reproduced if (name, "cpu") in passed]
    on_gpu = any((name, "cuda") in passed for name in reproduced)
    found: list[Standing] = ["failure-on-gpu"] if on_gpu else []
    if on_cpu:
        simulated = all(entry.simulated_in(name) for name in on_cpu)
        found.append("failure-partly-simulated" if simulated else "failure-on-cpu")
    if found:
        return found
    detected = _of_kind(outline, names, "detect")
    return ["mechanism"] if any(outline.steps[name].found for name in detected) else ["nothing"]


def untested_advice(entry: Entry, outline: Outline, evidence: Mapping[str, Evidence]) -> set[str]:
    """Return the advice against which nothing was seen: no machine has run a step that follows it.

    Args:
        entry: What is written of it.
        outline: The entry's recipe.
        evidence: Its recorded runs by machine.
    """
    seen = {
        outline.steps[name].target
        for one in evidence.values()
        for name, step in one.steps.items()
        if step.verdict == "passed" and name in outline.steps
        if outline.steps[name].kind == "non_fix"
    }
    return {advice.id for advice in entry.non_fixes} - seen


def _of_kind(outline: Outline, names: Iterable[str], kind: str) -> list[str]:
    return [name for name in names if outline.steps[name].kind == kind]
