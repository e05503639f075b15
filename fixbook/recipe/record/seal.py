"""Tell a record that was written by a run from one that was edited since.

A seal is a digest over a record itself. It keeps from mistakes, such as a figure mended by hand or
a digest copied to make evidence count again; it cannot keep from malice, as anybody can compute it.
"""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING

from fixbook.recipe.record.evidence import RUN_FIELDS

if TYPE_CHECKING:
    from fixbook.recipe.record.evidence import (
        Evidence,
        MachineRecord,
        StepRecord,
    )


_SEALS = {"seal", "run_seal", "machine"}


def seal(record: StepRecord, entry: str, name: str, machine: MachineRecord) -> StepRecord:
    """Return a record with its seals.

    Args:
        record: What was seen.
        entry: Slug of the entry.
        name: Name of the step.
        machine: Where it ran.
    """
    said, run = _seals(record, entry, name, machine)
    return record.model_copy(update={"seal": said, "run_seal": run})


def seal_holds(evidence: Evidence, name: str) -> bool:
    """Tell whether the record of a step is as it was written.

    Args:
        evidence: Evidence of a machine.
        name: Name of one of its steps.
    """
    record = evidence.steps[name]
    machine = record.machine or evidence.machine
    seals = _seals(record, evidence.entry, name, machine)
    return (record.seal, record.run_seal) == seals


def _seals(record: StepRecord, entry: str, name: str, machine: MachineRecord) -> tuple[str, str]:
    # Defaults are left out, so that a field added to records later breaks no seal.
    there = machine.model_dump(mode="json", exclude_defaults=True)
    said = record.model_dump(mode="json", exclude=_SEALS | set(RUN_FIELDS), exclude_defaults=True)
    run = record.model_dump(mode="json", include=set(RUN_FIELDS), exclude_defaults=True)
    first = _sha([entry, name, machine.name, said])
    return first, _sha([first, there, run])


def _sha(content: object) -> str:
    text = json.dumps(content, sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()[:16]
