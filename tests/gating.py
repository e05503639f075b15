"""Run the steps of a book, record them, and ask a gate."""

from __future__ import annotations

import datetime as dt
from threading import Event
from typing import TYPE_CHECKING

from fixbook.environment import machine
from fixbook.gates import GATES
from fixbook.gates.reading import Reading
from fixbook.index.build import index_of
from fixbook.recipe.reading.outline import read_outline
from fixbook.recipe.record.control import judge_beside_controls
from fixbook.recipe.record.evidence import machine_record
from fixbook.recipe.record.merging import merge
from fixbook.recipe.record.store import write_evidence
from fixbook.recipe.running.jobs import run_jobs
from fixbook.recipe.running.schedule import Job

if TYPE_CHECKING:
    from fixbook.book import Book


def found(book: Book, gate: str) -> str:
    problems = list(GATES[gate](Reading(book)))
    assert all(problem.mend for problem in problems), "every message ends with how to mend"
    return "\n".join(map(str, problems))


def recorded(book: Book) -> Book:
    """Run the recipes of a book and record evidence, as ``fixbook verify --record`` does."""
    for item in book.entries.values():
        outline = read_outline(item.recipe)
        jobs = [Job(item, step) for step in outline.steps.values()]
        ran = (result for _, result in run_jobs(jobs, index_of(book), Event()))
        results = list(judge_beside_controls(ran, book.entries))
        now = dt.datetime(2026, 11, 21, tzinfo=dt.UTC)
        write_evidence(item, merge(None, item, outline, results, machine_record(machine()), now))
    return book
