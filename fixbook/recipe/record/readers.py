"""Records of readers: what held on a machine of theirs, kept apart from our own evidence.

A reader writes one with ``fixbook run SLUG --record-to FILE`` and sends it. It is held against the
book as a run of ours would be, and put under ``evidence/readers/``: nothing counts it as ours.
"""

from __future__ import annotations

import dataclasses
import json
from typing import TYPE_CHECKING

from pydantic import ValidationError

from fixbook.files import write_atomically
from fixbook.log.redact import redact
from fixbook.problem import BookError, Problem
from fixbook.recipe.process.outcome import Outcome
from fixbook.recipe.reading.digest import digests_of
from fixbook.recipe.record.evidence import Evidence
from fixbook.recipe.record.merging import merge
from fixbook.recipe.record.seal import seal_holds
from fixbook.recipe.record.verdict import judge
from fixbook.text import _, say

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from fixbook.book import BookEntry
    from fixbook.log.signatures import Index
    from fixbook.recipe.author.steps import Step
    from fixbook.recipe.reading.outline import Outline
    from fixbook.recipe.record.evidence import MachineRecord, StepRecord
    from fixbook.recipe.record.result import StepResult
    from fixbook.text import Sentence

FOLDER = "readers"
MOST_BYTES = 4 * 1024**2


def record_of(
    item: BookEntry,
    outline: Outline,
    results: Iterable[StepResult],
    machine: MachineRecord,
    now: dt.datetime,
) -> Evidence:
    """Return what held of a run, its logs redacted, under the seals of evidence.

    Args:
        item: The entry.
        outline: Its recipe.
        results: What its steps showed.
        machine: Where they ran.
        now: When, in UTC.
    """
    shown = (dataclasses.replace(one, log=redact(one.log)) for one in results)
    return merge(None, item, outline, shown, machine, now)


def write_record(path: Path, record: Evidence) -> None:
    """Write a record as one file, to be sent."""
    write_atomically(path, record.model_dump_json(indent=1) + "\n")


def read_record(path: Path) -> Evidence:
    """Read a record that somebody sent: data from a stranger.

    Raises:
        BookError: It is none, or it is larger than any.
    """
    try:
        return Evidence.model_validate(json.loads(_bounded(path)))
    except (OSError, ValueError, RecursionError) as error:
        reason = str(error)
        if isinstance(error, ValidationError):
            reason = error.errors(include_url=False)[0]["msg"]
        what = _("is no record of a run: {reason}").format(reason=reason)
        mend = _("ask for the file that 'fixbook run {slug} --record-to FILE' wrote")
        raise BookError([Problem(str(path), what, mend.format(slug="SLUG"))]) from None


def _bounded(path: Path) -> bytes:
    with path.open("rb") as file:
        data = file.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise ValueError(_("it is larger than {most} MiB").format(most=MOST_BYTES // 1024**2))
    return data


def objections(
    item: BookEntry, outline: Outline, record: Evidence, index: Index
) -> Iterator[tuple[str, Sentence]]:
    """Say of each step of a record that does not hold, why not.

    Args:
        item: The entry.
        outline: Its recipe.
        record: What a reader sent.
        index: Compiled signatures.

    Raises:
        BookError: A Python file of the entry cannot be read.
    """
    now = digests_of(item, outline)
    for name, one in record.steps.items():
        step = outline.steps.get(name)
        if step is None:
            yield name, say("the recipe has no such step")
        elif not seal_holds(record, name):
            yield name, say("was edited since it was written")
        elif one.verdict != "passed":
            continue  # it was skipped there, and says why
        elif one.digest != now[name]:
            yield name, say("what it runs, reads or claims has changed since it was recorded")
        elif (verdict := _verdict(item, step, one, index)) is not None:
            yield name, verdict


def _verdict(item: BookEntry, step: Step, one: StepRecord, index: Index) -> Sentence | None:
    """Judge a recorded step again; None if it holds."""
    outcome = Outcome(
        one.exit_code, one.signal, one.stopped, one.seconds or 0.0, one.peak_mib or 0.0, one.log
    )
    from fixbook.log.diagnose import diagnose  # noqa: PLC0415  (slow, and no page needs it)

    verdict = judge(item, step, outcome, one.measures, diagnose(one.log, index), one.device)
    return None if verdict.status == "passed" else say("{why}", why=verdict.reason)


def adopt(item: BookEntry, record: Evidence) -> Path:
    """Put a record beside the entry, as one of a reader.

    Args:
        item: The entry.
        record: One without objections.

    Returns:
        The file.
    """
    seal = next((one.seal for one in record.steps.values()), "none")
    path = item.folder / "evidence" / FOLDER / f"{record.machine.name}-{seal[:8]}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    write_record(path, record)
    return path


def load_readers(item: BookEntry) -> list[Evidence]:
    """Return the records of readers that an entry has, in the order of their days.

    Raises:
        BookError: A file is damaged.
    """
    folder = item.folder / "evidence" / FOLDER
    found = [read_record(path) for path in sorted(folder.glob("*.json"))]
    return sorted(found, key=lambda one: one.recorded)
