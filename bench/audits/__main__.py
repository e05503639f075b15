"""Audit five environments, and run what each finding accuses on the very release.

    python -m bench.audits                     # all; what is known already is not run again
    python -m bench.audits --again old-axolotl # one, run anew
    python -m bench.audits --no-run            # compare with records alone

The accused releases are installed beside the environment, as for `make reverify`. Ends with 1 if
a run did not show what a finding says.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING

from bench.audits.page import Listed, Row, page, read, written
from bench.audits.steps import between, recorded, telling
from fixbook.book import load_book
from fixbook.index.bounds import bound_rows
from fixbook.index.build import index_of
from fixbook.installed.formats import read_inventory
from fixbook.installed.judge import audit
from fixbook.recipe.record import observations
from fixbook.recipe.running import Job, run_jobs
from fixbook.text import in_language

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bench.audits.page import Lists
    from fixbook.book import Book, BookEntry
    from fixbook.installed.judge import Finding
    from fixbook.log.signatures import Index
    from fixbook.recipe.author import Step

ROOT = Path(__file__).parents[2]
FOLDER = Path(__file__).parent / "lists"
KNOWN, PAGE = ROOT / "docs/audits.json", ROOT / "docs/audits.md"
SHOWS = {"happens here", "finds it"}
ENDED = {"does not happen here", "misses it here"}


def environments() -> dict[str, Path]:
    """Return the lists by the names of their environments."""
    lists = {path.stem: path for path in sorted(FOLDER.glob("*.txt"))}
    return lists | {"current pins": ROOT / "requirements.txt"}


def beside(
    book: Book, index: Index, finding: Finding, listed: Mapping[str, str], *, run: bool
) -> tuple[str, str]:
    """Return the state of a finding, and what was seen."""
    if finding.row["sure"] != "executed":
        return "said so", finding.row["sure"]
    item = book.entries[finding.row["entry"]]
    if step := recorded(item, finding):
        return "recorded", step
    steps = list(telling(item, finding, listed))
    state, seen = _run(item, steps, index) if steps and run else ("no step", "")
    if state in {"no step", "stopped"} and (releases := between(item, finding)):
        return "between", releases
    return state, seen if run or not steps else "not run yet"


def _run(item: BookEntry, steps: list[Step], index: Index) -> tuple[str, str]:
    """Run steps; return the state, and what the first that decides it showed."""
    results = [result for _, result in run_jobs([Job(item, one) for one in steps], index, Event())]
    seen = [
        (one.step.name, what.shows, in_language(what.reason, "en"))
        for one, what in observations(results, item)
    ]
    for states, state in ((SHOWS, "run"), (ENDED, "not shown")):
        for name, shows, _ in seen:
            if shows in states:
                return state, f"{name}: {shows}"
    name, shows, reason = seen[0]
    return "stopped", f"{name}: {shows} {reason}"[:200]


def audited(
    book: Book, index: Index, path: Path, known: Mapping[tuple[str, str, str], Row], *, run: bool
) -> Listed:
    """Audit one list, and hold each finding beside a run."""
    inventory = read_inventory(str(path))
    listed = {one.name: one.release for one in inventory.found}
    rows = []
    for finding in audit(inventory, bound_rows(book)).findings:
        bound, release = finding.row, f"{finding.installed.name}=={finding.installed.release}"
        until = f"free from {bound['first_fixed']}" if finding.kind == "defect" else ""
        says = f"{finding.level}: {until or 'so from ' + bound['first_bad']}"
        old = known.get((bound["entry"], release, says))
        if old and (old.state in {"run", "not shown"} or not run):
            rows.append(old)
            continue
        state, seen = beside(book, index, finding, listed, run=run)
        rows.append(Row(bound["entry"], release, says, state, seen))
        print(f"{state:18} {bound['entry']} {release}: {seen}", flush=True)
    return Listed(len(inventory.found), tuple(rows))


def main() -> int:
    """Run what is asked for, and write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", metavar="ENVIRONMENT")
    parser.add_argument("--again", action="store_true", help="run anew what is known")
    parser.add_argument("--no-run", action="store_true", help="compare with records alone")
    options = parser.parse_args()
    book = load_book(ROOT)
    index = index_of(book)
    lists: Lists = read(KNOWN)
    known = {(row.entry, row.release, row.says): row for one in lists.values() for row in one.rows}
    for name, path in environments().items():
        if not options.names or name in options.names:
            kept = {} if options.again else known
            lists[name] = audited(book, index, path, kept, run=not options.no_run)
            known |= {(row.entry, row.release, row.says): row for row in lists[name].rows}
            KNOWN.write_text(written(lists), "utf-8")
            PAGE.write_text(page(lists), "utf-8")
    rows = [row for one in lists.values() for row in one.rows]
    return int(any(row.state == "not shown" for row in rows))


if __name__ == "__main__":
    sys.exit(main())
