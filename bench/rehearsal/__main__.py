"""Rehearse every step that can run on a GPU, on GPUs that stand in, and write the page on them.

    python -m bench.rehearsal               those that have changed; goes on where it was cut off
    python -m bench.rehearsal --all         every one
    python -m bench.rehearsal SLUG...       those of some entries

Installs torch's build for CUDA beside the main environment first: half a gigabyte. Ends with 1
where a step does not hold.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING

from bench.rehearsal.page import Row, failing, left_of, page, read, written
from fixbook.book import load_book
from fixbook.index.build import index_of
from fixbook.recipe.reading import digests_of, read_outline
from fixbook.recipe.running import Job, install_stand_in, run_jobs
from fixbook.text import in_language

if TYPE_CHECKING:
    from collections.abc import Collection

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


def row_of(result: StepResult, digest: str) -> Row:
    """Return what a rehearsal showed."""
    verdict, said = _VERDICTS[result.verdict.status], in_language(result.verdict.reason, "en")
    needs = result.step.needs
    left = left_of(needs.ranks, result.log) if verdict == "holds" else said
    seconds = result.outcome.seconds if result.outcome else 0.0
    return Row(needs.on, verdict, said, left, seconds, digest)


def main(slugs: Collection[str], *, every: bool) -> int:
    """Run what is asked for; write what is known after each step."""
    install_stand_in()
    book = load_book(ROOT)
    steps = for_gpus(book)
    rows = {name: row for name, row in read(KNOWN).items() if name in steps}
    wanted = {
        name: job
        for name, (job, digest) in steps.items()
        if (not slugs or job.item.slug in slugs)
        and (every or name not in rows or rows[name].digest != digest)
    }
    began = time.monotonic()
    for job, result in run_jobs(wanted.values(), index_of(book), Event(), rehearse=True):
        name = "/".join(job.key)
        rows[name] = row_of(result, steps[name][1])
        KNOWN.write_text(written(rows), "utf-8")
        PAGE.write_text(page(rows), "utf-8")
        print(f"{rows[name].verdict:5} {name}: {rows[name].said}", flush=True)
    print(f"{len(wanted)} of {len(steps)} steps in {(time.monotonic() - began) / 60:.1f} minutes")
    failed = list(failing(rows))
    print(*failed, sep="\n")
    return bool(failed)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("slugs", nargs="*")
    parser.add_argument("--all", action="store_true")
    options = parser.parse_args()
    sys.exit(main(options.slugs, every=options.all))
