"""Evidence: what was run, where, with which versions, and what was seen."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any, Literal

from pydantic import BaseModel, ConfigDict

from fixbook.environment import Machine, installed_version
from fixbook.recipe.process.outcome import Stopped

if TYPE_CHECKING:
    from fixbook.recipe.reading.outline import Outline

SCHEMA = 3
# How a record of a step came about, in a file and under a seal of its own: running a step again
# with the same result changes that file alone.
RUN_FIELDS = ("recorded", "start", "cpu_seconds", "seconds", "peak_mib")


class _Record(BaseModel):
    # What records of other releases hold besides is left out; they are then stale, not broken.
    model_config = ConfigDict(extra="ignore", frozen=True, defer_build=True)


class GpuRecord(_Record):
    """A GPU the run could use; memory in GiB."""

    name: str
    memory_gib: float
    driver: str


class MachineRecord(_Record):
    """The machine of a run; memory in GiB."""

    name: str
    cpu: str
    cores: int
    memory_gib: float
    os: str
    python: str
    gpus: list[GpuRecord] = []


class StepRecord(_Record):
    """One step as it was seen.

    ``exit_code`` is None where a signal or a limit ended it. ``cpu_seconds`` and ``peak_mib`` are
    of all its processes, ``device`` is where it ran, ``digest`` is of what was run, ``seal`` of
    what this says, ``run_seal`` of its times and machine; ``machine`` is there only where it was
    another than the file's.
    """

    kind: str
    verdict: Literal["passed", "skipped"]
    reason: str
    recorded: str = ""
    digest: str = ""
    control: str | None = None
    snippets: dict[str, str] = {}
    start: Literal["warm", "cold"] = "cold"
    versions: dict[str, str] = {}
    cpu_seconds: float | None = None
    exit_code: int | None = None
    signal: str | None = None
    stopped: Stopped | None = None
    seconds: float | None = None
    peak_mib: float | None = None
    recognised: str | None = None
    overlay: list[str] = []
    measures: dict[str, Any] = {}
    log: str = ""
    device: Literal["cpu", "cuda"] = "cpu"
    machine: MachineRecord | None = None
    seal: str = ""
    run_seal: str = ""


class Evidence(_Record):
    """All steps of one entry on one machine; ``recorded`` and ``machine`` are of the last run."""

    schema_version: int = SCHEMA
    entry: str
    recorded: str
    machine: MachineRecord
    versions: dict[str, str]
    steps: dict[str, StepRecord]


def versions_of(outline: Outline) -> dict[str, str]:
    """Return the installed versions of the libraries a recipe declares."""
    pairs = ((need.name, installed_version(need.name)) for need in outline.dependencies)
    return {name: version for name, version in sorted(pairs) if version}


def machine_record(machine: Machine, name: str | None = None) -> MachineRecord:
    """Describe a machine for a record.

    Args:
        machine: The machine.
        name: Name of its evidence file; by default ``cpu`` or the GPU's model.
    """
    facts = asdict(machine)
    gpus = [
        GpuRecord(name=gpu["name"], memory_gib=gpu["memory_gib"], driver=gpu["driver"])
        for gpu in facts.pop("gpus")
    ]
    return MachineRecord(name=name or machine.name, gpus=gpus, **facts)
