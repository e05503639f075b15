"""Tell a record that was written by a run from one that was edited since.

A seal is a digest over a record itself. It keeps from mistakes, such as a figure mended by hand or
a digest copied to make evidence count again; it cannot keep from malice, as anybody can compute it.
"""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fixbook.recipe.record.evidence import Evidence, MachineRecord, StepRecord


def seal(record: StepRecord, entry: str, name: str, machine: MachineRecord) -> StepRecord:
    """Return a record with its seal.

    Args:
        record: What was seen.
        entry: Slug of the entry.
        name: Name of the step.
        machine: Where it ran.
    """
    return record.model_copy(update={"seal": _seal(record, entry, name, machine)})


def seal_holds(evidence: Evidence, name: str) -> bool:
    """Tell whether the record of a step is as it was written.

    Args:
        evidence: Evidence of a machine.
        name: Name of one of its steps.
    """
    record = evidence.steps[name]
    machine = record.machine or evidence.machine
    return record.seal == _seal(record, evidence.entry, name, machine)


def _seal(record: StepRecord, entry: str, name: str, machine: MachineRecord) -> str:
    # Defaults are left out, so that a field added to records later breaks no seal.
    seen = record.model_dump(mode="json", exclude={"seal", "machine"}, exclude_defaults=True)
    there = machine.model_dump(mode="json", exclude_defaults=True)
    text = json.dumps([entry, name, there, seen], sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()[:16]
