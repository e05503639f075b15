"""Run the steps of a recipe, each in a process of its own, and judge them."""

from __future__ import annotations

import dataclasses
import json
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from fixbook.environment import machine
from fixbook.log.diagnose import diagnose
from fixbook.log.errors import ERROR
from fixbook.log.exception import WRAPPERS
from fixbook.recipe.helpers import NoStandInError
from fixbook.recipe.record.result import StepResult, Verdict
from fixbook.recipe.record.scrub import scrub
from fixbook.recipe.record.verdict import failing_verdict, judge, last_line
from fixbook.recipe.running.devices import device_of
from fixbook.recipe.running.needs import unmet_need
from fixbook.recipe.running.notes import (
    read_measures,
    skip_reason,
    used_snippets,
)
from fixbook.recipe.running.overlays import OverlayError, overlay
from fixbook.recipe.running.places import package_root, recipe_folder
from fixbook.recipe.running.stand_in import on_stand_in, without_a_card
from fixbook.recipe.running.start import records_in, snippets_in, start_step
from fixbook.recipe.running.use_of_gpus import misuses

if TYPE_CHECKING:
    from threading import Event

    from fixbook.book import BookEntry
    from fixbook.log.diagnosis import Diagnosis
    from fixbook.log.signatures import Index
    from fixbook.recipe.author.steps import Step
    from fixbook.recipe.process.outcome import Outcome
    from fixbook.recipe.running.devices import Device
    from fixbook.recipe.running.warm_parents import WarmParents


def run_step(
    item: BookEntry,
    step: Step,
    index: Index,
    stop: Event | None = None,
    parents: WarmParents | None = None,
    *,
    stands_in: bool = False,
) -> StepResult:
    """Run one step in a process of its own.

    Args:
        item: The entry the step belongs to.
        step: The step.
        index: Compiled signatures, to recognise the step's log.
        stop: Ends the step when set.
        parents: Where to fork the step from, if it bears that; without, it starts cold.
        stands_in: Run it on GPUs that stand in; ``skipped`` then says what only a card can.

    Returns:
        Its result; ``skipped`` with the reason if this machine lacks something.
    """
    needs = dataclasses.replace(step.needs, on="cpu") if stands_in else step.needs
    lacking = unmet_need(needs, machine())
    if lacking:
        return StepResult(item.slug, step, Verdict("skipped", lacking))
    try:
        folder = overlay(needs.versions, with_dependencies=needs.with_dependencies)
        started = on_stand_in(item, step, folder) if stands_in else step
    except OverlayError as error:
        return StepResult(item.slug, step, Verdict("failed", error.args[0]))
    except NoStandInError as error:
        return StepResult(item.slug, step, Verdict("skipped", error.args[0]))
    with tempfile.TemporaryDirectory(prefix="fixbook-", ignore_cleanup_errors=True) as name:
        base = Path(name)
        code = {name: snippet.code for name, snippet in item.entry.snippets.items()}
        snippets_in(base).write_text(json.dumps(code), "utf-8")
        outcome = start_step(
            recipe_folder(item.folder) / step.file,
            started,
            base,
            folder,
            stop=stop,
            parents=parents,
        )
        return _result(item, step, index, outcome, base, folder, stands_in=stands_in)


def _result(  # noqa: PLR0913  (what a run leaves)
    item: BookEntry,
    step: Step,
    index: Index,
    outcome: Outcome,
    base: Path,
    folder: Path | None,
    *,
    stands_in: bool,
) -> StepResult:
    measures = read_measures(records_in(base))
    diagnosis = diagnose(outcome.log, index)
    reason = skip_reason(records_in(base))
    device: Device = "cuda" if stands_in else device_of(step.needs, len(machine().gpus))
    verdict = (
        judge(item, step, outcome, measures, diagnosis, device)
        if reason is None
        else Verdict("skipped", reason)
    )
    if stands_in:
        verdict = without_a_card(step, verdict, records_in(base), outcome.log)
    misused = misuses(step, records_in(base), outcome.log) if device == "cuda" else []
    if misused and reason is None:
        verdict = failing_verdict(*misused, *verdict.objections)
    places = {
        "<scratch>": base,
        "<recipe>": recipe_folder(item.folder),
        "<fixbook>": package_root(),
    }
    if folder:
        places["<overlay>"] = folder
    log = scrub(outcome.log, places)
    line = scrub(_telling_line(item, step, diagnosis, outcome), places).strip()
    best = diagnosis.best
    return StepResult(
        item.slug,
        step,
        verdict,
        dataclasses.replace(outcome, log=log),
        measures,
        log,
        best.owner if best else None,
        line,
        used_snippets(records_in(base)),
        device,
    )


def _telling_line(item: BookEntry, step: Step, diagnosis: Diagnosis, outcome: Outcome) -> str:
    """Return the line that led to the entry; of a failure that is another one, its error."""
    best, unknown = diagnosis.best, _unknown(diagnosis)
    claims = item.entry.steps.get(step.name)
    known = any(ERROR.match(match.line.text) for match in diagnosis.matches)
    if outcome.failed and not known and claims and claims.fails is None:
        # A pattern of the entry may have met a line of its metrics, which ended nothing.
        errors = unknown or _errors(outcome.log)[-1:]
        if errors:
            return _with_text(errors[0], outcome.log)
    mine = next((match for match in diagnosis.matches if match.owner == item.slug), None)
    if mine is None and best and (diagnosis.names(item.slug, best.owner) or not unknown):
        mine = best
    if mine:
        return mine.line.text
    if not outcome.failed:
        return ""
    return _with_text(unknown[0], outcome.log) if unknown else last_line(outcome.log)


def _unknown(diagnosis: Diagnosis) -> list[str]:
    """Return errors that no pattern matched: that which ended the run, before what it handled."""
    errors = [one.line.text for one in diagnosis.unknown]
    last = diagnosis.exception.line.text if diagnosis.exception else ""
    return sorted(errors, key=lambda text: text != last)


def _errors(log: str) -> list[str]:
    lines = (line.strip() for line in log.splitlines())
    return [line for line in lines if ERROR.match(line) and not WRAPPERS.match(line)]


def _with_text(error: str, log: str) -> str:
    """Return the line of an error; where its text begins on the next line, with that."""
    lines = [line.strip() for line in log.splitlines() if line.strip()]
    if not error.rstrip().endswith(":") or error.strip() not in lines[:-1]:
        return error
    return f"{error.strip()} {lines[lines.index(error.strip()) + 1]}"
