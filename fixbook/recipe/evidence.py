"""Evidence: what was run, where, with which versions, and what was seen.

One file per machine under ``recipes/<slug>/evidence/``. `record` writes it; nobody types it.
"""

from __future__ import annotations

import contextlib
import json
import os
import tempfile
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from fixbook.environment import Machine, installed_version
from fixbook.problem import BookError, Problem

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Iterable, Mapping

    from fixbook.book import BookEntry
    from fixbook.entry import Snippet
    from fixbook.recipe.outline import Outline
    from fixbook.recipe.result import StepResult

SCHEMA = 1


class _Record(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


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

    ``exit_code`` is None where a signal or a limit ended the process. ``seconds`` is wall-clock
    time, ``peak_mib`` the resident memory of the process tree by sampling.
    """

    kind: str
    verdict: Literal["passed", "skipped"]
    reason: str
    exit_code: int | None = None
    signal: str | None = None
    stopped: str | None = None
    seconds: float | None = None
    peak_mib: float | None = None
    recognised: str | None = None
    overlay: list[str] = []
    measures: dict[str, Any] = {}
    log: str = ""
    snippets: dict[str, str] = {}


class Evidence(_Record):
    """All steps of one entry on one machine."""

    schema_version: int = SCHEMA
    entry: str
    recorded: str
    machine: MachineRecord
    versions: dict[str, str]
    digest: dict[str, str]
    steps: dict[str, StepRecord]


def load_evidence(item: BookEntry) -> dict[str, Evidence]:
    """Load an entry's evidence by machine name; ``cpu`` first.

    Raises:
        BookError: A file is damaged.
    """
    found = {}
    for path in sorted((item.folder / "evidence").glob("*.json")):
        try:
            found[path.stem] = Evidence.model_validate_json(path.read_bytes())
        except ValidationError as error:
            what = f"is not evidence: {error.errors(include_url=False)[0]['msg']}"
            mend = f"run 'fixbook verify --record {item.slug}'"
            raise BookError([Problem(str(path), what, mend)]) from None
    return dict(sorted(found.items(), key=lambda pair: (pair[0] != "cpu", pair[0])))


def evidence_of(
    item: BookEntry,
    outline: Outline,
    results: Iterable[StepResult],
    machine: Machine,
    now: dt.datetime,
    digest: dict[str, str],
) -> Evidence:
    """Put the results of a run into a record.

    Args:
        item: The entry.
        outline: Its recipe.
        results: One per step; none of them failed.
        machine: Where they ran.
        now: When, in UTC.
        digest: Digest of what was run.
    """
    by_name = {result.step.name: result for result in results}
    return Evidence(
        entry=item.slug,
        recorded=now.strftime("%Y-%m-%dT%H:%M:%SZ"),
        machine=_machine_record(machine),
        versions=versions_of(outline),
        digest=digest,
        steps={
            name: _step_record(by_name[name], item.entry.snippets)
            for name in outline.steps
            if name in by_name
        },
    )


def versions_of(outline: Outline) -> dict[str, str]:
    """Return the installed versions of the libraries a recipe declares."""
    pairs = ((need.name, installed_version(need.name)) for need in outline.dependencies)
    return {name: version for name, version in sorted(pairs) if version}


def record(item: BookEntry, evidence: Evidence) -> Path:
    """Write evidence; the old file stays until the new one is complete.

    Args:
        item: The entry.
        evidence: The record.

    Returns:
        The file.
    """
    path = item.folder / "evidence" / f"{evidence.machine.name}.json"
    path.parent.mkdir(exist_ok=True)
    text = json.dumps(evidence.model_dump(mode="json"), ensure_ascii=False, indent=1) + "\n"
    write_atomically(path, text)
    return path


def write_atomically(path: Path, text: str) -> None:
    """Write a file so that it is there whole or not at all."""
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}-")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as out:
            out.write(text)
        Path(name).chmod(0o644)
        Path(name).replace(path)
    finally:
        with contextlib.suppress(FileNotFoundError):
            Path(name).unlink()


def _machine_record(machine: Machine) -> MachineRecord:
    facts = asdict(machine)
    gpus = [
        GpuRecord(name=gpu["name"], memory_gib=gpu["memory_gib"], driver=gpu["driver"])
        for gpu in facts.pop("gpus")
    ]
    return MachineRecord(name=machine.name, gpus=gpus, **facts)


def _step_record(result: StepResult, snippets: Mapping[str, Snippet]) -> StepRecord:
    step, outcome = result.step, result.outcome
    if result.verdict.status == "failed":
        raise ValueError(f"{result.slug}/{step.name} failed; only what was seen is recorded")
    if outcome is None:
        return StepRecord(kind=step.kind, verdict="skipped", reason=result.verdict.reason)
    return StepRecord(
        kind=step.kind,
        verdict="passed",
        reason=result.verdict.reason,
        exit_code=outcome.exit_code,
        signal=outcome.signal,
        stopped=outcome.stopped,
        seconds=outcome.seconds,
        peak_mib=outcome.peak_mib,
        recognised=result.recognised,
        overlay=list(step.needs.versions),
        measures=result.measures,
        log=result.log,
        snippets={name: snippets[name].digest for name in result.snippets if name in snippets},
    )
