"""A report of a log to those who keep the book: redacted, to be read before it is sent."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from fixbook.log.redact import redact

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fixbook.log.diagnosis import Diagnosis
    from fixbook.log.scan import Scan

MOST = 24_000
MOST_TITLE = 120
_BEFORE, _ENDING = 40, 60  # lines before the exception, and of the end of the log
TICKS = re.compile(r"`+")


def report_title(answer: dict[str, Any]) -> str:
    """Return the title of an issue about an answer."""
    about = answer["answer"] or answer["exception"]
    if about is None:
        return "Not recognised"
    blanked = answer["next"]["blanked"] if answer["next"] else about["text"]
    return redact(blanked).strip()[:MOST_TITLE]


def report_of(answer: dict[str, Any], diagnosis: Diagnosis, scans: Sequence[Scan]) -> str:
    """Return a report as Markdown.

    Args:
        answer: What was answered.
        diagnosis: What it was made from.
        scans: The logs.
    """
    found = answer["answer"]
    said = "Answered: not recognised"
    if found:
        name = found.get("slug") or found["symptom"]
        said = (
            f"Answered: {name} ({found['certainty']}, {found['signature']}), line {found['line']}"
        )
    versions = (answer["exception"] or {}).get("versions", {})
    listed = ", ".join(f"{name} {version}" for name, version in versions.items())
    head = [
        said,
        f"Read: {answer['lines']} lines",
        "Expected: ",
        f"Versions (torch, framework, driver): {listed}",
        "Hardware: ",
        "",
    ]
    return "\n".join([*head, *_logs(diagnosis, scans)])[:MOST]


def _logs(diagnosis: Diagnosis, scans: Sequence[Scan]) -> list[str]:
    card = diagnosis.exception
    blocks = []
    for hit in (hit for scan in scans for hit in (*scan.hits, *scan.errors)):
        same = card and (hit.source, hit.line) == (card.source, card.line)
        if same and hit.context.before and hit.line.number < scans[-1].lines - _ENDING:
            before = hit.context.before.decode("utf-8", errors="replace").split("\n")
            lines = [*before[:-1][-_BEFORE:], hit.line.text]
            blocks.append(f"line {hit.line.number}\n" + _fenced(lines))
            break
    if scans:
        tail = scans[-1].tail.decode("utf-8", errors="replace").rstrip("\n").split("\n")
        blocks.append("end of the log\n" + _fenced(tail[-_ENDING:]))
    return blocks


def _fenced(lines: Sequence[str]) -> str:
    log = redact("\n".join(lines))
    longest = max((len(run) for run in TICKS.findall(log)), default=2)
    ticks = "`" * (max(2, longest) + 1)
    return f"{ticks}text\n{log}\n{ticks}\n"
