"""Measure how fast `fixbook triage` reads: one process, two, Ray on the same cores, ripgrep beside.

    python -m bench.triage_speed [--jobs 43000] [--rounds 3] [--seed 25]

The ways take turns, so that what else runs on the machine meets all of them; medians count. A
machine that is busy tells more by CPU seconds. What Ray needs to start is measured on ten logs.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bench.throughput import patterns
from bench.triage_corpus import Corpus
from bench.triage_page import keep, write_measured
from bench.triage_run import run, watched
from fixbook.book import load_book
from fixbook.book_root import book_root
from fixbook.index.cache import index_rows

if TYPE_CHECKING:
    from bench.triage_run import Took

WAYS = {"1": ("--processes", "1"), "2": ("--processes", "2"), "ray": ("--ray",)}


def measure(root: Path, jobs: int, rounds: int, seed: int) -> dict[str, Any]:
    """Measure every way in turn.

    Args:
        root: Where logs and answers lie meanwhile.
        jobs: How many jobs are made up.
        rounds: How often each way reads them.
        seed: Of the lot.
    """
    Corpus(load_book(book_root(), strict=False), seed).write(root / "logs", jobs)
    logs = sorted((root / "logs").glob("*/*.out"))
    took: dict[str, list[Took]] = {name: [] for name in WAYS}
    starts = {name: _read(logs[:10], root / name, options) for name, options in WAYS.items()}
    print(starts, flush=True)
    loads = []
    for _ in range(rounds):
        for name, options in WAYS.items():
            took[name].append(_read([root / "logs"], root / name, options))
            loads.append(os.getloadavg()[0])
            print(name, took[name][-1], f"load {loads[-1]:.1f}", flush=True)
        if any(_bytes(root / name) != _bytes(root / "2") for name in WAYS):
            sys.exit("the ways do not write the same bytes")
    ways = {name: _medians(took[name]) for name in WAYS}
    return {
        "logs": len(logs),
        "bytes": sum(path.stat().st_size for path in logs),
        "rounds": rounds,
        "load": statistics.median(loads),
        "ways": ways,
        "starts": {name: _medians([one]) for name, one in starts.items()},
        "ratio": _ratio(took, "seconds"),
        "cpu_ratio": _ratio(took, "cpu"),
        "rg": _ripgrep(root, ways["2"]["seconds"]),
        "rg_limit": ways["2"]["seconds"],
    }


def _read(names: list[Path], out: Path, options: tuple[str, ...]) -> Took:
    shutil.rmtree(out, ignore_errors=True)
    return run(names, out, *options)


def _medians(took: list[Took]) -> dict[str, float]:
    return {
        name: statistics.median(float(getattr(one, name)) for one in took)
        for name in ("seconds", "cpu", "peak")
    }


def _ratio(took: dict[str, list[Took]], name: str) -> float:
    """How much more Ray takes than two processes: the median of the pairs."""
    pairs = zip(took["ray"], took["2"], strict=True)
    return statistics.median(float(getattr(ray, name) / getattr(two, name)) for ray, two in pairs)


def _ripgrep(root: Path, limit_s: float) -> dict[str, Any] | None:
    """What ripgrep takes for all patterns of the book, and for their literals, up to a limit."""
    rg = shutil.which("rg")
    if rg is None:
        print("rg is not installed; nothing to compare with")
        return None
    expressions, literals = patterns(index_rows(book_root()))
    found: dict[str, Any] = {}
    # Classes like \d are those of ASCII in our patterns; as Unicode they cost ripgrep minutes.
    for name, flag, lines in (
        ("patterns", "--no-unicode", expressions),
        ("literals", "-F", literals),
    ):
        file = root / "patterns.txt"
        file.write_text("\n".join(lines) + "\n", "utf-8")
        command = [rg, "-c", "-a", "-j", "2", flag, "-f", str(file), str(root / "logs")]
        took = watched(command, limit_s, (0, 1))
        found[name] = {"seconds": took.seconds, "cpu": took.cpu} if took else None
        print(f"rg -f, {name}: {took or f'failed, or not done after {limit_s:.0f} s'}")
    return found


def _bytes(out: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in (out / "parts").iterdir()}


def main() -> None:
    """Measure, print, keep and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--jobs", type=int, default=43_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seed", type=int, default=25)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        found = measure(Path(folder), options.jobs, options.rounds, options.seed)
    print(json.dumps(found, indent=1))
    keep("speed", found)
    write_measured()


if __name__ == "__main__":
    main()
