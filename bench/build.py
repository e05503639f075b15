"""How long a large book takes to build: ``python -m bench.build 100``."""

from __future__ import annotations

import shutil
import tempfile
import time
from pathlib import Path

import click

from generator.site.build import build_site
from generator.view.library import load_library
from tests.site.small_book import write_book
from tests.site.small_entry import SLUG


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
    """Build books of COUNTS entries (10 and 100 by default) and print what each took."""
    for count in counts or (10, 100):
        with tempfile.TemporaryDirectory() as folder:
            root = write_large_book(Path(folder, "book"), count)
            start, cpu = time.perf_counter(), time.process_time()
            build_site(load_library(root, draft=True), Path(folder, "site"))
            seconds, cpu = time.perf_counter() - start, time.process_time() - cpu
            pages = sum(1 for _ in Path(folder, "site").rglob("*.html"))
        print(
            f"{count} entries, {pages} pages in both languages: "
            f"{seconds:.1f} s, {cpu:.1f} CPU-seconds"
        )


if __name__ == "__main__":
    main()
