"""Run an entry here: the failure, and what helps, on the versions that are installed."""

from __future__ import annotations

from threading import Event
from typing import TYPE_CHECKING, Any

from fixbook.book import load_part
from fixbook.book_root import book_root
from fixbook.index.cache import index_rows
from fixbook.log.signatures import index_from
from fixbook.recipe.record import observations
from fixbook.recipe.running import Job, run_jobs
from fixbook.trial.bounds import bounded
from fixbook.trial.data import run_row
from fixbook.trial.stage import stage_of

if TYPE_CHECKING:
    from collections.abc import Sequence


def run(slug: str, steps: Sequence[str] = ()) -> dict[str, Any]:
    """Run the steps of an entry that need no other releases; nothing is installed.

    Args:
        slug: The entry.
        steps: Only these, with the controls that they need.

    Returns:
        What ``fixbook run SLUG --json`` prints.

    Raises:
        BookError: There is no such entry or step.
    """
    root = book_root()
    stage = stage_of(load_part(root, slug).get(slug), steps)
    jobs = [Job(stage.item, step) for step in stage.run]
    ran = run_jobs(jobs, index_from(index_rows(root)), Event())
    results = bounded(stage, observations((result for _job, result in ran), stage.item))
    return run_row(stage, {result.step.name: (result, seen) for result, seen in results})
