"""From what was read of a job to its row."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from fixbook.log.redact import redact
from fixbook.text import printable
from fixbook.triage.row import (
    ENTRY,
    MESSAGE,
    QUIET,
    REFUSED,
    UNKNOWN,
    UNREADABLE,
    UNSURE,
    moment,
    shown,
)
from fixbook.triage.shape import excerpt_of, shape_of
from fixbook.triage.times import Span, span_of

if TYPE_CHECKING:
    from fixbook.log.card import Card
    from fixbook.log.diagnosis import Diagnosis, Match
    from fixbook.log.scanned import Scan
    from fixbook.triage.listing import Job, Log

MOST_LINE = 500
# What launchers print of where the first failure was.
_HOST = re.compile(
    rb"^\s*host\s*:\s*([\w.-]{1,100})\s*$|^srun: error: ([\w.-]{1,100}): tasks? ", re.MULTILINE
)


@dataclass(slots=True)
class Read:
    """What was read of a job.

    Attributes:
        job: The job.
        scans: Its logs, scanned.
        notes: What could not be read, or breaks off.
        refused: Files that were not read.
    """

    job: Job
    scans: list[Scan] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    refused: list[Log] = field(default_factory=list)


def row_of(read: Read, diagnosis: Diagnosis | None, *, text: bool) -> dict[str, Any]:
    """Return the row of a job.

    Args:
        read: What was read of it.
        diagnosis: What that was recognised as; None if that failed.
        text: Whether redacted lines are kept.
    """
    job, scans = read.job, read.scans
    span = span_of(job.meta, scans, job.logs)
    notes = [*read.notes, *(log.refused for log in read.refused), *span.notes]
    row: dict[str, Any] = {
        "job": shown(job.name),
        "attempt": job.attempt,
        "outcome": _outcome(read, diagnosis),
        "nodes": _nodes(read),
        "versions": {},
        "start": moment(span.start),
        "end": moment(span.end),
        "times": span.known_from,
        "state": job.meta.state or None,
        "gpus": job.meta.gpus,
        "gpu_hours": _gpu_hours(job, span),
        "restarts": job.meta.restarts,
        "logs": len(job.logs),
        "size": sum(log.size for log in job.logs),
        "lines": sum(scan.lines for scan in scans),
        "problem": printable("; ".join(notes))[:MOST_LINE] or None,
    }
    return row | (_said(read, diagnosis, text=text) if diagnosis else {})


def _outcome(read: Read, diagnosis: Diagnosis | None) -> str:
    if not read.scans or diagnosis is None:
        return REFUSED if read.refused and not read.notes else UNREADABLE
    if diagnosis.best:
        return ENTRY if diagnosis.best.specific else MESSAGE
    if diagnosis.exception is None:
        return QUIET
    over = diagnosis.goes_on is not None  # steps are counted below it
    return UNKNOWN if diagnosis.exception.certain and not over else UNSURE


def _said(read: Read, diagnosis: Diagnosis, *, text: bool) -> dict[str, Any]:
    best, card = diagnosis.best, diagnosis.exception
    decided: Match | Card | None = best or card
    if decided is None:
        return {}
    rank = decided.line.rank
    source = next((log for log in read.job.logs if log.name == decided.source), None)
    said: dict[str, Any] = {
        "node": _node(read, source),
        "rank": source.rank if rank is None and source else rank,
        "source": shown(decided.source),
        "line_number": decided.line.number,
        "line": redact(printable(decided.line.text.strip())[:MOST_LINE]) if text else None,
        "kind": card.kind or None if card else None,
        "versions": dict(sorted(card.versions.items())) if card else {},
    }
    if best:
        owner = {"entry" if best.specific else "message": best.owner}
        return said | owner | {"signature": best.signature}
    if _outcome(read, diagnosis) == UNKNOWN and card:
        said["shape"] = shape_of(card, text=text)
        said["excerpt"] = excerpt_of(card, read.scans) if text else None
    return said


def _nodes(read: Read) -> list[str]:
    named = {log.node for log in read.job.logs if log.node}
    known = named | set(read.job.meta.nodes)
    return sorted(known or {_host(read)} - {""})


def _node(read: Read, source: Log | None) -> str | None:
    """The node of the log that decided; else what a launcher printed, else the only one."""
    if source and source.node:
        return source.node
    nodes = read.job.meta.nodes
    return _host(read) or (nodes[0] if len(nodes) == 1 else None)


def _host(read: Read) -> str:
    for scan in read.scans:
        found = _HOST.search(scan.tail)
        name = (found[1] or found[2]).decode("ascii", "replace") if found else ""
        if name and name != "localhost":
            return name
    return ""


def _gpu_hours(job: Job, span: Span) -> float | None:
    """What a scheduler tells; nothing is counted that nobody has told."""
    if job.meta.gpus is None or span.known_from != "scheduler":
        return None
    if span.start is None or span.end is None:
        return None
    return job.meta.gpus * (span.end - span.start) / 3600
