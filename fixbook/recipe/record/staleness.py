"""Tell which records no longer count: what a step runs, reads or claims has changed since."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fixbook.recipe.reading.digest import digests_of
from fixbook.text import joined, quote, say
from fixbook.versions import canonical_name, is_version, within

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fixbook.book import BookEntry
    from fixbook.recipe.reading.outline import Outline
    from fixbook.recipe.record.evidence import Evidence, StepRecord


def stale_steps(item: BookEntry, outline: Outline, evidence: Evidence | None) -> dict[str, str]:
    """Say which steps of an entry have to run again on a machine.

    The sources and the record alone decide: what is installed where this is asked does not count.

    Args:
        item: The entry as it is now.
        outline: Its recipe as it is now.
        evidence: What was recorded on the machine; None if nothing was.

    Returns:
        By step, why its record does not count: it is missing, was skipped though this machine's
        kind can run it, or something has changed since. The versions that the recipe pins are
        compared only for the machine ``cpu``: a GPU machine may have its own.

    Raises:
        BookError: A Python file of the entry cannot be read.
    """
    now, pins = digests_of(item, outline), _pins(outline)
    stale: dict[str, str] = {}
    for name, step in outline.steps.items():
        record = evidence.steps.get(name) if evidence else None
        if evidence is None or record is None:
            stale[name] = say("is not recorded")
        elif record.verdict == "skipped" and not can_run(evidence, step.needs.on):
            continue
        elif why := _why(record, now[name], pins if evidence.machine.name == "cpu" else {}):
            stale[name] = why
    return stale


def can_run(evidence: Evidence, on: str) -> bool:
    """Tell whether a machine is of the kind that a step asks for with ``on``."""
    return on in {"any", "cpu"} or bool(evidence.machine.gpus)


def _pins(outline: Outline) -> dict[str, str]:
    """The versions that a recipe asks for, by canonical name."""
    return {canonical_name(one.name): str(one.specifier) for one in outline.dependencies}


def _why(record: StepRecord, digest: str, pins: Mapping[str, str]) -> str:
    if record.verdict == "skipped":
        return say("was skipped ({reason})", reason=quote(record.reason))
    if record.digest != digest:
        return say("what it runs, reads or claims has changed since it was recorded")
    changed = [
        say(
            "the recipe asks for {need}, recorded with {recorded}",
            need=f"{name}{pins[canonical_name(name)]}",
            recorded=recorded,
        )
        for name, recorded in record.versions.items()
        if not _meets(recorded, pins.get(canonical_name(name), ""))
    ]
    return joined(changed) if changed else ""


def _meets(version: str, pin: str) -> bool:
    return not pin or (is_version(version) and within(version, pin))
