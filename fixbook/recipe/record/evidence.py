"""Evidence: what was run, where, with which versions, and what was seen.

One file per machine under ``recipes/<slug>/evidence/``; `write_evidence` writes it, nobody types.
"""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from fixbook.environment import Machine, installed_version
from fixbook.files import write_atomically
from fixbook.i18n import _
from fixbook.problem import BookError, Problem
from fixbook.recipe.process.outcome import Stopped
from fixbook.recipe.reading.digest import digests_of, entry_uses
from fixbook.recipe.reading.libraries import versions_for
from fixbook.recipe.record.seal import seal

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Iterable
    from pathlib import Path

    from fixbook.book import BookEntry
    from fixbook.recipe.reading.outline import Outline
    from fixbook.recipe.record.result import StepResult

SCHEMA = 2


class _Record(BaseModel):
    # What records of other releases hold besides is left out; they are then stale, not broken.
    model_config = ConfigDict(extra="ignore", frozen=True)


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
    of all its processes, ``digest`` is of what was run, ``seal`` of this record; ``machine`` is
    there only where it was another than the file's.
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
    machine: MachineRecord | None = None
    seal: str = ""


class Evidence(_Record):
    """All steps of one entry on one machine; ``recorded`` and ``machine`` are of the last run."""

    schema_version: int = SCHEMA
    entry: str
    recorded: str
    machine: MachineRecord
    versions: dict[str, str]
    steps: dict[str, StepRecord]


def load_evidence(item: BookEntry) -> dict[str, Evidence]:
    """Load an entry's evidence by machine name; ``cpu`` first.

    Raises:
        BookError: A file is damaged.
    """
    found = {}
    for path in (path for folder in item.evidence for path in sorted(folder.glob("*.json"))):
        try:
            found[path.stem] = Evidence.model_validate_json(path.read_bytes())
        except ValidationError as error:
            reason = error.errors(include_url=False)[0]["msg"]
            what = _("is not evidence: {reason}").format(reason=reason)
            mend = _("run 'fixbook verify --record {slug}'").format(slug=item.slug)
            raise BookError([Problem(str(path), what, mend)]) from None
    return dict(sorted(found.items(), key=lambda pair: (pair[0] != "cpu", pair[0])))


def merge(
    previous: Evidence | None,
    item: BookEntry,
    outline: Outline,
    results: Iterable[StepResult],
    machine: MachineRecord,
    now: dt.datetime,
) -> Evidence:
    """Put the results of a run into what was recorded before.

    A step that passed replaces its record. One that failed is never recorded, and one that was
    skipped does not replace a run: their records stay, and count for as long as they are current.

    Args:
        previous: What was recorded on this machine before, if anything.
        item: The entry.
        outline: Its recipe.
        results: One per step that ran.
        machine: Where they ran.
        now: When, in UTC.

    Raises:
        BookError: A Python file of the entry cannot be read.
    """
    uses = entry_uses(item, outline)
    digests = digests_of(item, outline, uses)
    snippets = item.entry.snippets
    time = now.strftime("%Y-%m-%dT%H:%M:%SZ")
    steps = _kept(previous, machine)
    for result in results:
        name, status = result.step.name, result.verdict.status
        old = steps.get(name)
        if status == "failed" or (status == "skipped" and old and old.verdict == "passed"):
            continue
        seen = _step_record(result).model_copy(
            update={
                "recorded": time,
                "digest": digests[name],
                "snippets": {name: snippets[name].digest for name in result.snippets},
                "versions": versions_for(outline, uses[name]),
            }
        )
        steps[name] = seal(seen, item.slug, name, machine)
    return Evidence(
        entry=item.slug,
        recorded=time,
        machine=machine,
        versions=versions_of(outline),
        steps={name: steps[name] for name in outline.steps if name in steps},
    )


def _kept(previous: Evidence | None, machine: MachineRecord) -> dict[str, StepRecord]:
    """Earlier records; they say themselves when, and on what, if that was another machine."""
    if previous is None:
        return {}
    elsewhere = None if previous.machine == machine else previous.machine
    return {
        name: write_evidence.model_copy(
            update={
                "recorded": write_evidence.recorded or previous.recorded,
                "machine": write_evidence.machine or elsewhere,
            }
        )
        for name, write_evidence in previous.steps.items()
    }


def versions_of(outline: Outline) -> dict[str, str]:
    """Return the installed versions of the libraries a recipe declares."""
    pairs = ((need.name, installed_version(need.name)) for need in outline.dependencies)
    return {name: version for name, version in sorted(pairs) if version}


def write_evidence(item: BookEntry, evidence: Evidence) -> Path:
    """Write evidence; the old file stays until the new one is complete.

    Args:
        item: The entry.
        evidence: The record.

    Returns:
        The file.
    """
    path = item.evidence[-1] / f"{evidence.machine.name}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    data = evidence.model_dump(mode="json")
    for step in data["steps"].values():
        if step["machine"] is None:
            del step["machine"]
    text = json.dumps(data, ensure_ascii=False, indent=1) + "\n"
    write_atomically(path, text)
    return path


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


def _step_record(result: StepResult) -> StepRecord:
    step, outcome = result.step, result.outcome
    if outcome is None or result.verdict.status != "passed":
        return StepRecord(kind=step.kind, verdict="skipped", reason=result.verdict.reason)
    return StepRecord(
        kind=step.kind,
        verdict="passed",
        reason=result.verdict.reason,
        control=step.control or None,
        start=outcome.start,
        cpu_seconds=outcome.cpu_seconds,
        exit_code=outcome.exit_code,
        signal=outcome.signal,
        stopped=outcome.stopped,
        seconds=outcome.seconds,
        peak_mib=outcome.peak_mib,
        recognised=result.recognised,
        overlay=list(step.needs.versions),
        measures=result.measures,
        log=result.log,
    )
