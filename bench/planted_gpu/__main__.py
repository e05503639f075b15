"""Plant mistakes into the GPU code of recipes, one at a time, and see what finds each.

    python -m bench.planted_gpu               all of them; writes docs/planted-gpu.md
    python -m bench.planted_gpu --only nccl   those whose names hold this text; prints alone

Needs what `make rehearse` installs. Ends with 1 where one goes unseen that something has to find.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from bench.planted_gpu.checks import Checks
from bench.planted_gpu.mistakes import MISTAKES
from bench.planted_gpu.page import Row, page, shown
from bench.rehearsal.__main__ import for_gpus, rows_of_today
from fixbook.book import load_book
from fixbook.recipe.running import install_stand_in

if TYPE_CHECKING:
    from fixbook.book import Book

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs/planted-gpu.md"


def sound_steps(book: Book) -> set[str]:
    """Return the steps that are known to hold as they are."""
    rows = rows_of_today(for_gpus(book))
    return {name for name, row in rows.items() if row.verdict == "holds"}


def main(only: str = "") -> int:
    """Plant them, and write what found each."""
    install_stand_in()
    book, rows = load_book(ROOT), list[Row]()
    with tempfile.TemporaryDirectory(prefix="planted-") as folder:
        checks = Checks(book, Path(folder) / "spoilt", sound_steps(book))
        for mistake in MISTAKES:
            if only not in mistake.name:
                continue
            began = time.monotonic()
            found = checks.found(mistake)
            rows.append(Row(mistake, found, time.monotonic() - began))
            print(shown(rows[-1]), flush=True)
            if not only:
                PAGE.write_text(page(rows), "utf-8")
    missed = [row.mistake.name for row in rows if not row.found and not row.mistake.why_not]
    print(f"{sum(bool(row.found) for row in rows)} of {len(rows)} found; missed: {missed}")
    return bool(missed)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="", help="names that hold this text")
    sys.exit(main(parser.parse_args().only))
