"""How the book's commands grow with it: ``python -m bench.synthetic 118 500 2000``.

With ``--only load --only diagnose`` books of 10,000 entries are measured in minutes.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.request
from dataclasses import dataclass
from functools import partial
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

import click
import psutil

from fixbook.book import load_entry
from fixbook.book_root import BOOK_VARIABLE
from fixbook.recipe.reading import digests_of, read_outline
from fixbook.recipe.record import load_evidence, write_evidence
from generator.site.server import CHANGES

if TYPE_CHECKING:
    from collections.abc import Callable

ROOT = Path(__file__).resolve().parent.parent
FIRST = "synthetic-failure-0"
_FIXBOOK = ("-m", "fixbook")
# What a rule names of the real book: the entry that explains it, and the step that shows it.
_NAMED = re.compile(r"^entry: .+$", re.MULTILINE), re.compile(r"\bstep: [\w-]+")
_STEP = "it-breaks"
_LOG_LINES = 300
_LOAD = """
from fixbook.book import load_book
from fixbook.book_root import book_root
load_book(book_root())
"""
_CONFIG = "base_model: x\nadapter: lora\nload_in_4bit: true\nsequence_len: 2048\n"


@dataclass(frozen=True, slots=True)
class Took:
    """What a command took.

    Attributes:
        seconds: Wall-clock time.
        cpu_seconds: Of all its processes.
        code: Its exit code.
    """

    seconds: float
    cpu_seconds: float
    code: int


def write_synthetic_book(root: Path, entries: int, rules: int) -> None:
    """Write a book of filled-in scaffolds, with records, and of copies of the real rules.

    Args:
        root: Where to write it.
        entries: How many entries.
        rules: How many rules.
    """
    for number in range(entries):
        _write_entry(root, f"synthetic-failure-{number}")
    _record_first(root)
    first = load_entry(root / "recipes" / FIRST)
    evidence = load_evidence(first)["cpu"]
    for number in range(1, entries):
        item = load_entry(root / "recipes" / f"synthetic-failure-{number}")
        digests = digests_of(item, read_outline(item.recipe))
        steps = {
            name: step.model_copy(
                update={"digest": digests[name], "log": step.log.replace(FIRST, item.slug)}
            )
            for name, step in evidence.steps.items()
        }
        write_evidence(item, evidence.model_copy(update={"entry": item.slug, "steps": steps}))
    _write_rules(root, rules, entries)
    slugs = sorted(path.name for path in (root / "recipes").iterdir())
    (root / "slugs.txt").write_text("".join(f"{slug}\n" for slug in slugs), "utf-8")
    log = [f"step {number}: loss 2.{number}" for number in range(_LOG_LINES - 1)]
    log.append(f"{FIRST}: size 7 is past the limit of 4")
    (root / "log.txt").write_text("\n".join(log) + "\n", "utf-8")
    (root / "axolotl.yaml").write_text(_CONFIG, "utf-8")


def _write_entry(root: Path, slug: str) -> None:
    folder = root / "recipes" / slug
    folder.mkdir(parents=True)
    for template in (files("fixbook.cli") / "scaffold").iterdir():
        if template.is_file():
            text = template.read_text("utf-8").replace("@TODAY@", "2026-11-21")
            text = text.replace("TODO @SLUG@", slug).replace("TODO ", "")
            (folder / template.name).write_text(text.replace("@SLUG@", slug), "utf-8")


def _record_first(root: Path) -> None:
    took = run(root, "-m", "fixbook", "verify", "--record", FIRST)
    if took.code:
        sys.exit("the scaffold's steps do not hold; run 'pytest tests/test_prove.py'")


def _write_rules(root: Path, count: int, entries: int) -> None:
    real = [path for path in sorted((ROOT / "rules").iterdir()) if (path / "rule.yaml").is_file()]
    for number in range(count):
        source = real[number % len(real)]
        name = source.name if number < len(real) else f"{source.name}-{number // len(real)}"
        folder = root / "rules" / name
        shutil.copytree(source, folder)
        entry, step = _NAMED
        text = (folder / "rule.yaml").read_text("utf-8")
        text = entry.sub(f"entry: synthetic-failure-{number % entries}", text)
        (folder / "rule.yaml").write_text(step.sub(f"step: {_STEP}", text), "utf-8")


def run(root: Path, *arguments: str) -> Took:
    """Run a Python command on a book, and see what it took.

    Args:
        root: The book.
        *arguments: What follows the interpreter.
    """
    env = {**os.environ, BOOK_VARIABLE: str(root), "XDG_CACHE_HOME": str(root / ".cache")}
    before, start = os.times(), time.perf_counter()
    command = [sys.executable, *arguments]
    done = subprocess.run(command, cwd=ROOT, env=env, stdout=subprocess.DEVNULL, check=False)
    after, end = os.times(), time.perf_counter()
    cpu = (after.children_user - before.children_user) + (
        after.children_system - before.children_system
    )
    return Took(end - start, cpu, done.returncode)


def reloaded(root: Path, site: str) -> Took:
    """Serve a book, change an entry, and see what it takes until its page is told to reload.

    Args:
        root: The book.
        site: Folder for the site.
    """
    command = [sys.executable, "-u", "-m", "generator", "serve", "--port", "0", "--out", site]
    env = {**os.environ, BOOK_VARIABLE: str(root)}
    with subprocess.Popen(
        [*command, "--tree", f"{site}-tree"], cwd=ROOT, env=env, stdout=subprocess.PIPE, text=True
    ) as served:
        try:
            said = iter(served.stdout or ())
            address = next((line.split()[1] for line in said if line.startswith("Serving ")), "")
            if not address:  # it says itself why it ended
                return Took(0.0, 0.0, served.wait())
            entry = root / "recipes" / FIRST / "entry.yaml"
            text, process = entry.read_text("utf-8"), psutil.Process(served.pid)
            with urllib.request.urlopen(address + CHANGES.format(shown=0)) as events:  # noqa: S310
                used, start = sum(process.cpu_times()[:2]), time.perf_counter()
                entry.write_text(text.replace("what happens", "what happened"), "utf-8")
                error = json.loads(events.readline().decode().removeprefix("data: "))
                seconds = time.perf_counter() - start
            return Took(seconds, sum(process.cpu_times()[:2]) - used, int(bool(error)))
        finally:
            served.terminate()


@click.command()
@click.argument("counts", nargs=-1, type=click.IntRange(1))
@click.option("--rules", default=500, show_default=True, help="Rules of the largest book.")
@click.option("--only", multiple=True, help="Commands whose name begins so, and no others.")
def main(counts: tuple[int, ...], rules: int, only: tuple[str, ...]) -> None:
    """Measure books of COUNTS entries: 118, 500 and 2,000 by default."""
    sizes = sorted(counts or (118, 500, 2000))
    print(f"{'command':<28}" + "".join(f"{f'{size} entries':>28}" for size in sizes))
    rows: dict[str, list[Took]] = {}
    for size in sizes:
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder, "book")
            write_synthetic_book(root, size, rules * size // sizes[-1])
            for name, measure in _measures(root, str(Path(folder, "site"))).items():
                if name.startswith(only or ("",)):
                    rows.setdefault(name, []).append(measure())
                    print(size, name, _shown(rows[name][-1]), file=sys.stderr, flush=True)
    for name, took in rows.items():
        print(f"{name:<28}" + "".join(f"{_shown(one):>28}" for one in took))


def _measures(root: Path, site: str) -> dict[str, Callable[[], Took]]:
    """What is measured of a book, in this order."""
    log, config = f"{root}/log.txt", f"{root}/axolotl.yaml"
    commands: dict[str, tuple[str, ...]] = {
        "load": ("-c", _LOAD),
        "--help": (*_FIXBOOK, "--help"),
        "list, first": (*_FIXBOOK, "list"),
        "list, again": (*_FIXBOOK, "list"),
        "show, first": (*_FIXBOOK, "show", FIRST),
        "show, again": (*_FIXBOOK, "show", FIRST),
        "lint": (*_FIXBOOK, "lint"),
        "lint of one entry": (*_FIXBOOK, "lint", FIRST),
        "diagnose, cold": (*_FIXBOOK, "diagnose", log),
        "diagnose, cached": (*_FIXBOOK, "diagnose", log),
        "check, cached": (*_FIXBOOK, "check", config),
        "build of both languages": ("-m", "generator", "build", "--out", site),
    }
    measures: dict[str, Callable[[], Took]] = {
        name: partial(run, root, *arguments) for name, arguments in commands.items()
    }
    return measures | {"edit to reload": partial(reloaded, root, site)}


def _shown(took: Took) -> str:
    return f"{took.seconds:.1f} s ({took.cpu_seconds:.1f} CPU) → {took.code}"


if __name__ == "__main__":
    main()
