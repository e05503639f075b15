"""Run the steps of a book, record them, and ask a gate."""

from __future__ import annotations

import datetime as dt
from threading import Event
from typing import TYPE_CHECKING

from fixbook.environment import machine
from fixbook.gates import GATES
from fixbook.gates.reading import Reading
from fixbook.index.build import index_of
from fixbook.recipe.control import judged
from fixbook.recipe.evidence import machine_record, merge, record
from fixbook.recipe.outline import read_outline
from fixbook.recipe.schedule import Job
from fixbook.recipe.verify import run_jobs

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
        results = list(judged(ran, book.entries))
        now = dt.datetime(2026, 11, 21, tzinfo=dt.UTC)
        record(item, merge(None, item, outline, results, machine_record(machine()), now))
    return book
