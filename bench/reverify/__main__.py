"""Run the steps that import a library on other releases of it, and report what changed.

    python -m bench.reverify transformers==4.57.6,huggingface_hub==0.36.0,tokenizers==0.22.1
    python -m bench.reverify --all peft==0.17.1 trl==1.5.0

Each argument is one set of releases: the first is in question, the others are what it needs;
without one, those of ``releases.txt``. They are installed beside the environment. Ends with 1
where a step shows what no page says.
"""

from __future__ import annotations

import argparse
import datetime as dt
import sys
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING

from bench.reverify.known import told_all
from bench.reverify.page import Row, differences, page, read, written
from bench.reverify.selection import concerned
from fixbook.book import load_book
from fixbook.index.build import index_of
from fixbook.recipe.record import observations
from fixbook.recipe.running import Job, run_jobs
from fixbook.text import in_language

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from bench.reverify.page import Rows
    from fixbook.book import Book, BookEntry
    from fixbook.log.signatures import Index
    from fixbook.recipe.author import Step
    from fixbook.recipe.record import StepResult

ROOT = Path(__file__).parents[2]
KNOWN = ROOT / "docs/reverify.json"
PAGE = ROOT / "docs/reverify.md"
RELEASES = Path(__file__).with_name("releases.txt")


def rows_of(
    wanted: dict[str, tuple[BookEntry, list[Step]]], index: Index
) -> Iterator[tuple[str, Row]]:
    """Run steps, and yield what each showed as soon as all of its entry have ended.

    Args:
        wanted: Entries by slug, with their steps on the releases in question.
        index: Compiled signatures.
    """
    jobs = [Job(item, step) for item, steps in wanted.values() for step in steps]
    ended: dict[str, list[StepResult]] = {}
    day = dt.datetime.now(dt.UTC).date().isoformat()
    for job, result in run_jobs(jobs, index, Event()):
        slug = job.item.slug
        done = ended.setdefault(slug, [])
        done.append(result)
        item, steps = wanted[slug]
        if len(done) < len(steps):
            continue
        for one, seen in observations(done, item):
            differs = (in_language(one.said, "en") for one in seen.differs)
            said = in_language(seen.reason, "en") or "; ".join(differs)
            row = Row(seen.shows, said, seen.as_on_the_page, bounded=False, day=day)
            yield f"{slug}/{one.step.name}", row


def reverify(book: Book, name: str, slugs: Collection[str], *, every: bool) -> int:
    """Run one set of releases; write what is known after each entry. Return how much changed."""
    releases = [part.strip() for part in name.split(",")]
    wanted = {
        item.slug: (item, steps)
        for item, steps in concerned(book, releases, every=every)
        if not slugs or item.slug in slugs
    }
    known = read(KNOWN)
    before = dict(known.get(name, {}))
    for step, seen in rows_of(wanted, index_of(book)):
        known.setdefault(name, {})[step] = seen
        known = kept(known, book)
        row = known[name][step]
        print(f"{row.state:8} {step}: {row.shows} {row.said}", flush=True)
    now = known.get(name, {})
    print(*differences(before, now), sep="\n")
    return sum(row.state == "changed" for row in now.values())


def kept(known: Rows, book: Book) -> Rows:
    """Write what is known, with what the book says of it today, and return it."""
    known = told_all(known, book)
    KNOWN.write_text(written(known), "utf-8")
    PAGE.write_text(page(known), "utf-8")
    return known


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("releases", nargs="*", metavar="NAME==VERSION[,…]")
    parser.add_argument("--all", action="store_true", help="every step that imports it")
    parser.add_argument("--entry", action="append", default=[], help="only this one; repeatable")
    parser.add_argument("--page", action="store_true", help="run nothing; write the page anew")
    options = parser.parse_args()
    lines = RELEASES.read_text("utf-8").splitlines()
    usual = [line for line in lines if line and not line.startswith("#")]
    the_book = load_book(ROOT)
    if options.page:
        kept(read(KNOWN), the_book)
        sys.exit()
    changed = [
        reverify(the_book, name, options.entry, every=options.all)
        for name in options.releases or usual
    ]
    sys.exit(1 if any(changed) else 0)
