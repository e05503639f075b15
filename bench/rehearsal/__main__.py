"""Rehearse every step that can run on a GPU, on GPUs that stand in, and write the page on them.

    python -m bench.rehearsal               those that have changed or did not hold, then those
                                            that ran before the code of these GPUs was changed;
                                            goes on where it was cut off
    python -m bench.rehearsal --minutes 25  as many of them as that is enough for
    python -m bench.rehearsal --all         every one
    python -m bench.rehearsal SLUG...       those of some entries

Installs torch's build for CUDA beside the main environment first: half a gigabyte. A failure and
its first fix of each entry are run first. Ends with 1 where a step does not hold.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING

from bench.rehearsal.page import Known, Row, failing, left_of, page, read, written
from fixbook.book import load_book
from fixbook.index.build import index_of
from fixbook.recipe.reading import digests_of, read_outline
from fixbook.recipe.record import scrub
from fixbook.recipe.running import (
    Budget,
    Job,
    by_entry,
    install_stand_in,
    run_jobs,
    stand_in_state,
)
from fixbook.text import in_language

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from fixbook.book import Book
    from fixbook.recipe.record import StepResult

ROOT = Path(__file__).parents[2]
KNOWN = ROOT / "docs/rehearsal.json"
PAGE = ROOT / "docs/rehearsal.md"
_VERDICTS = {"passed": "holds", "skipped": "open", "failed": "fails"}


def for_gpus(book: Book) -> dict[str, tuple[Job, str]]:
    """Return the steps that can run on a GPU, with their digests, by ``slug/step``."""
    found = {}
    for item in book.entries.values():
        outline = read_outline(item.recipe)
        digests = digests_of(item, outline)
        for name, step in outline.steps.items():
            if step.needs.on != "cpu":
                found[f"{item.slug}/{name}"] = Job(item, step), digests[name]
    return found


def rows_of_today(steps: Mapping[str, tuple[Job, str]]) -> dict[str, Row]:
    """Return what is known of steps that have not changed since.

    Args:
        steps: As `for_gpus` returns them.
    """
    return {
        name: row
        for name, row in read(KNOWN).rows.items()
        if name in steps and row.digest == steps[name][1]
    }


def row_of(result: StepResult, digest: str, stand_in: str) -> Row:
    """Return what a rehearsal showed.

    Args:
        result: What became of the step.
        digest: Of the step.
        stand_in: Of the code of the GPUs that stood in; see `stand_in_state`.
    """
    verdict, said = _VERDICTS[result.verdict.status], in_language(result.verdict.reason, "en")
    said = scrub(said, {"<book>": ROOT})  # a reason may name a file of this machine
    needs = result.step.needs
    left = left_of(needs.ranks, result.log) if verdict == "holds" else said
    seconds = result.outcome.seconds if result.outcome else 0.0
    return Row(needs.on, verdict, said, left, seconds, digest, stand_in)


def counted(book: Book) -> dict[str, dict[str, int]]:
    """Return how many steps each entry has, by what they ask for and then by slug."""
    found: dict[str, dict[str, int]] = {}
    for item in book.entries.values():
        for step in read_outline(item.recipe).steps.values():
            of_kind = found.setdefault(step.needs.on, {})
            of_kind[item.slug] = of_kind.get(item.slug, 0) + 1
    return found


def main(slugs: Collection[str], *, every: bool, minutes: float | None = None) -> int:
    """Run what is asked for; write what is known after each step."""
    install_stand_in()
    book = load_book(ROOT)
    steps = for_gpus(book)
    rows = rows_of_today(steps)
    known = Known(rows, counted(book), stand_in_state())
    wanted = {
        name: job
        for name, (job, _) in steps.items()
        if (not slugs or job.item.slug in slugs) and (every or _asks(rows.get(name), known))
    }

    def order(jobs: Iterable[Job]) -> list[Job]:
        """Take last those that held on GPUs of an earlier state."""
        held = {"/".join(job.key): job for job in jobs}
        new = {name: job for name, job in held.items() if _is_new(rows.get(name))}
        return [*by_entry(new.values()), *by_entry(held[name] for name in held if name not in new)]

    began, budget = time.monotonic(), Budget(minutes * 60 if minutes else None)
    for job, result in run_jobs(
        wanted.values(), index_of(book), Event(), budget=budget, rehearse=True, order=order
    ):
        name = "/".join(job.key)
        if job.key in budget.unfinished:
            continue
        rows[name] = row_of(result, steps[name][1], known.stand_in)
        _write(known)
        print(f"{rows[name].verdict:5} {name}: {rows[name].said}", flush=True)
    _write(known)
    ran, took = len(wanted) - len(budget.unfinished), (time.monotonic() - began) / 60
    print(f"{ran} of {len(steps)} steps in {took:.1f} minutes")
    failed = list(failing(rows))
    print(*failed, sep="\n")
    return bool(failed)


def _asks(row: Row | None, known: Known) -> bool:
    return row is None or row.verdict == "fails" or row.stand_in != known.stand_in


def _is_new(row: Row | None) -> bool:
    """Tell whether a step has not held yet; what only a card can say of it is left for last."""
    return row is None or row.verdict == "fails"


def _write(known: Known) -> None:
    KNOWN.write_text(written(known), "utf-8")
    PAGE.write_text(page(known), "utf-8")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("slugs", nargs="*")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--minutes", type=float, help="start no step that does not fit into them")
    options = parser.parse_args()
    sys.exit(main(options.slugs, every=options.all, minutes=options.minutes))
