"""Rehearse a step for a GPU on a machine without one.

In torch's build for CUDA on GPUs that stand in, where that build is installed (see `stand_in`);
elsewhere all is real up to the first CUDA call.
"""

from __future__ import annotations

import dataclasses
import json
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from fixbook.environment import machine
from fixbook.recipe.record.result import StepResult, Verdict
from fixbook.recipe.record.scrub import scrub
from fixbook.recipe.running.needs import unmet_need
from fixbook.recipe.running.notes import reached_cuda, skip_reason
from fixbook.recipe.running.places import recipe_folder
from fixbook.recipe.running.runner import run_step
from fixbook.recipe.running.stand_in import can_stand_in
from fixbook.recipe.running.start import records_in, snippets_in, start_step

if TYPE_CHECKING:
    from threading import Event

    from fixbook.book import BookEntry
    from fixbook.log.signatures import Index
    from fixbook.recipe.author.steps import Step
    from fixbook.recipe.running.warm_parents import WarmParents

_HOOK = Path(__file__).with_name("rehearsal")


def rehearse(
    item: BookEntry,
    step: Step,
    index: Index,
    stop: Event | None = None,
    parents: WarmParents | None = None,
) -> StepResult:
    """Run a step for a GPU as far as this machine allows.

    Args:
        item: The entry.
        step: A step for a GPU, or for any device.
        index: Compiled signatures, to recognise its log.
        stop: Ends it when set.
        parents: Where to fork it from, if it bears that; what fails there is run cold, and judged
            by that.
    """
    if not can_stand_in():
        return rehearse_step(item, step, stop)
    result = run_step(item, step, index, stop, parents, stands_in=True)
    forked = result.outcome is not None and result.outcome.start == "warm"
    if result.verdict.status != "failed" or not forked or (stop and stop.is_set()):
        return result
    return run_step(item, step, index, stop, stands_in=True)


def rehearse_step(item: BookEntry, step: Step, stop: Event | None = None) -> StepResult:
    """Run a step until a process of it is about to use a GPU.

    Args:
        item: The entry.
        step: A step for a GPU.
        stop: Ends it when set.

    Returns:
        ``passed`` if a process of it came to a CUDA call, with the place of the first one;
        ``skipped`` if the machine lacks something besides the GPU, or the step says why it cannot
        run here; else ``failed``.
    """
    lacking = unmet_need(dataclasses.replace(step.needs, on="cpu"), machine())
    if lacking:
        return StepResult(item.slug, step, Verdict("skipped", lacking))
    recipe = recipe_folder(item.folder)
    env = {**step.needs.env, "FIXBOOK_REHEARSAL": str(recipe.resolve())}
    on = step.needs.on if step.needs.on != "any" else "cuda"
    rehearsed = dataclasses.replace(step, needs=dataclasses.replace(step.needs, on=on, env=env))
    with tempfile.TemporaryDirectory(prefix="fixbook-", ignore_cleanup_errors=True) as name:
        base = Path(name)
        code = {name: snippet.code for name, snippet in item.entry.snippets.items()}
        snippets_in(base).write_text(json.dumps(code), "utf-8")
        outcome = start_step(recipe / step.file, rehearsed, base, _HOOK, stop=stop)
        place, reason = reached_cuda(records_in(base)), skip_reason(records_in(base))
        log = scrub(outcome.log, {"<scratch>": base, "<recipe>": recipe})
    if place:
        verdict = Verdict("passed", f"reached CUDA at {place}")
    elif reason is not None:
        verdict = Verdict("skipped", reason)
    else:
        verdict = Verdict("failed", f"no CUDA call was reached: {outcome.said()}")
    return StepResult(item.slug, step, verdict, outcome, log=log)
