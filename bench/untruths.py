"""Plant untruths into a copy of the book, one at a time, and see what catches each.

Prints a table: untruth, where it was planted, what caught it, the message. Fails if one that
something mechanical has to catch goes unseen: ``python -m bench.untruths``.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from bench.untruth import catchers
from bench.untruth.claims import CLAIMS
from bench.untruth.draft import Draft, NoTargetError, Untruth, copy_of, draft_of
from bench.untruth.evidence import EVIDENCE
from bench.untruth.finding import FINDING
from bench.untruth.second import SECOND
from bench.untruth.steps import STEPS
from bench.untruth.texts import TEXTS
from fixbook.book_root import book_root
from fixbook.gates import GATES

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from collections.abc import Set as AbstractSet

    from bench.untruth.catchers import Catch
    from fixbook.book import Book

UNTRUTHS = [*STEPS, *CLAIMS, *TEXTS, *FINDING, *EVIDENCE, *SECOND]
_SLOW = {"run", "tools", "page"}
_LONGEST = 150


@dataclass(frozen=True, slots=True)
class Row:
    """What became of an untruth.

    Attributes:
        untruth: What was planted.
        slug: The entry; empty if none has what it needs.
        where: The place in it.
        caught: Who found it, with the first message of each.
    """

    untruth: Untruth
    slug: str
    where: str
    caught: dict[str, str]

    @property
    def missed(self) -> bool:
        """Whether something should have caught it."""
        return not self.caught and not self.untruth.why_not


def plant_all(
    clean: Book, untruths: Sequence[Untruth], folder: Path, gates: AbstractSet[str] = GATES.keys()
) -> Iterator[Row]:
    """Plant untruths one at a time, spread over the entries.

    Args:
        clean: A copy of the book, as `copy_of` makes it.
        untruths: What to plant.
        folder: Where to; it is removed and made again for each.
        gates: Who is asked besides the model; ``rules`` takes longer than all others, and is asked
            only about rules.

    Yields:
        One row each.
    """
    slugs = list(clean.entries)
    known: dict[tuple[str, bool], Counter[Catch]] = {}
    for number, untruth in enumerate(untruths):
        at = number % len(slugs)
        for slug in slugs[at:] + slugs[:at]:
            draft = draft_of(clean.root, slug, folder)
            try:
                where = untruth.plant(draft)
            except NoTargetError:
                continue
            rules = untruth.catcher == "fixtures"
            names = gates if rules else gates - {"rules"}
            if (slug, rules) not in known:
                known[slug, rules] = Counter(catchers.gates(clean, slug, names))
            found = Counter(
                catchers.gates(catchers.spoilt(clean, draft, about_rules=rules), slug, names)
            )
            yield Row(untruth, slug, where, _caught(untruth, draft, found - known[slug, rules]))
            break
        else:
            yield Row(untruth, "", "", {})


def _caught(untruth: Untruth, draft: Draft, found: Counter[Catch]) -> dict[str, str]:
    """Say who found what; the slower catchers are asked only where nothing else sees it."""
    caught: dict[str, str] = {}
    for catch in found:
        caught.setdefault(catch.by, catch.what)
    if untruth.catcher != "gates" and set(caught) <= {"freshness"}:
        for catch in getattr(catchers, untruth.catcher)(draft):
            caught.setdefault(catch.by, catch.what)
    return caught


def shown(row: Row) -> str:
    """Return a row of the table, in Markdown."""
    if not row.slug:
        end = "(no entry has it)", "", ""
    elif row.caught:
        by = sorted(row.caught, key=lambda name: name == "freshness")
        end = f"{row.slug}: {row.where}", ", ".join(by), row.caught[by[0]]
    else:
        end = f"{row.slug}: {row.where}", "NOT CAUGHT", row.untruth.why_not
    cells = " ".join(end[2].split())[:_LONGEST].replace("|", "\\|")
    return f"| {row.untruth.name} | {end[0]} | {end[1]} | {cells} |"


def main() -> int:
    """Print the table; 1 if one is missed."""
    parser = argparse.ArgumentParser(description=__doc__, allow_abbrev=False)
    parser.add_argument("--only", default="", help="only untruths whose name holds this text")
    parser.add_argument("--no-run", action="store_true", help="nothing that takes long")
    parser.add_argument("--begin", type=int, default=0, help="leave out as many at the beginning")
    parser.add_argument("--step", type=int, default=1, help="plant every Nth only")
    given = parser.parse_args()
    chosen = [one for one in UNTRUTHS if given.only in one.name]
    if given.no_run:
        chosen = [one for one in chosen if one.catcher not in _SLOW]
    chosen = chosen[given.begin :: given.step]
    rows = []
    print("| untruth | where | caught by | message |\n|---|---|---|---|", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        clean = copy_of(book_root(), Path(folder) / "clean")
        for row in plant_all(clean, chosen, Path(folder) / "spoilt"):
            rows.append(row)
            print(shown(row), flush=True)
    missed = [row for row in rows if row.missed and row.slug]
    entries = len({row.slug for row in rows if row.slug})
    by_reading = sum(not row.caught and bool(row.untruth.why_not) for row in rows)
    caught = sum(bool(row.caught) for row in rows)
    scope = f"{len(rows)} untruths in {entries} entries"
    end = f"{caught} caught, {by_reading} only by reading, {len(missed)} missed"
    print(f"{scope}: {end}", file=sys.stderr)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
