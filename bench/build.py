"""How long a large book takes to build: ``python -m bench.build 100``."""

from __future__ import annotations

import shutil
import tempfile
import time
from pathlib import Path

import click

from generator.library import load_library
from generator.site import build_site
from tests.site.small_book import SLUG, write_book


def write_large_book(root: Path, count: int) -> Path:
    """Write a book whose entries are copies of the small book's one, each with its own words.

    Args:
        root: Where to write it.
        count: How many entries it has.
    """
    write_book(root)
    first = root / "recipes" / SLUG
    for number in range(1, count):
        folder = root / "recipes" / f"{SLUG}-{number}"
        shutil.copytree(first, folder)
        for name in ("entry.yaml", "evidence/cpu.json"):
            text = (folder / name).read_text("utf-8")
            text = text.replace("overflowed its box", f"overflowed its box {number}")
            (folder / name).write_text(text.replace(f'"{SLUG}"', f'"{folder.name}"'), "utf-8")
    return root


@click.command()
@click.argument("counts", nargs=-1, type=int)
def main(counts: tuple[int, ...]) -> None:
    """Build books of COUNTS entries (10 and 100 by default) and print the seconds each took."""
    for count in counts or (10, 100):
        with tempfile.TemporaryDirectory() as folder:
            root = write_large_book(Path(folder, "book"), count)
            start = time.perf_counter()
            library = load_library(root, draft=True)
            loaded = time.perf_counter()
            build_site(library, Path(folder, "site"))
            built = time.perf_counter()
            pages = sum(1 for _ in Path(folder, "site").rglob("*.html"))
        print(
            f"{count} entries, {pages} pages: loaded in {loaded - start:.1f} s, "
            f"both languages built in {built - loaded:.1f} s"
        )


if __name__ == "__main__":
    main()
