"""Measure `fixbook triage` on a corpus made by lot: answers, clusters, nodes, speed, memory.

    python -m bench.triage [--jobs 5000] [--seed 25] [--ray] [--drain]

Known failures are the logs that entries declare, after a healthy beginning and with other folders,
so that they measure the way through the pipeline, not how well unseen logs are recognised
(`bench.find` does). Times are of this machine as it is; what else runs on it slows them.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import psutil

from bench.triage_corpus import BAD_NODES, SHARD, Corpus, Truth
from fixbook.book import load_book
from fixbook.book_root import book_root
from fixbook.triage.clusters import clusters_of
from fixbook.triage.nodes import Node, against_chance
from fixbook.triage.queries import Rows, rows_of

if TYPE_CHECKING:
    from collections.abc import Sequence

SHUFFLES = 20
PATTERN = r"(?P<job>train-(?P<number>\d+))-(?P<node>node\d+)\.r(?P<rank>\d+)\.out"


def run(names: Sequence[Path], out: Path, *options: str) -> tuple[float, float, float]:
    """Run the command; return seconds, and peaks of all processes together and of the first."""
    command = [sys.executable, "-m", "fixbook", "triage", *map(str, names), "--out", str(out)]
    command += ["--job-pattern", PATTERN, "--lang", "en", *options]
    began = time.perf_counter()
    process = psutil.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    peak = first = 0
    while process.poll() is None:
        try:
            own = process.memory_info().rss
            sizes = [one.memory_info().rss for one in process.children(recursive=True)]
            first, peak = max(first, own), max(peak, own + sum(sizes))
        except psutil.Error:  # it ended meanwhile
            pass
        time.sleep(0.1)
    if process.returncode:
        sys.exit(f"triage ended with {process.returncode}: {' '.join(command)}")
    return time.perf_counter() - began, peak / 1e6, first / 1e6


def answers(rows: Rows, truths: dict[str, Truth]) -> Counter[str]:
    """Count the right and wrong answers, and name kinds that are missed."""
    counts: Counter[str] = Counter()
    for row in rows.ask("SELECT job, outcome, entry, message, failed FROM runs ORDER BY job"):
        truth = truths[row["job"].removeprefix("train-")]
        counts[verdict(row, truth)] += 1
    return counts


def verdict(row: dict[str, Any], truth: Truth) -> str:
    """Judge one answer: ``right``, ``wrong`` or ``missed``, with what the job is."""
    named = row["entry"] or row["message"]
    if truth.ask:
        if named in truth.ask.right:
            return "known: right"
        return "known: wrong" if row["entry"] not in {None, *truth.ask.entries} else "known: missed"
    if truth.unknown is not None:
        said = "right" if row["outcome"] == "unknown" else "wrong" if named else "missed"
        return f"unknown: {said}"
    return "healthy: wrong" if named or row["failed"] else "healthy: right"


def purity(rows: Rows, truths: dict[str, Truth]) -> tuple[int, int, float]:
    """Return clusters that hold made-up kinds, how many kinds there are, and how pure they are."""
    of = {
        shape["shape"]: number
        for number, cluster in enumerate(clusters_of(rows))
        for shape in cluster.shapes
    }
    return _purity(rows, truths, of)


def _purity(rows: Rows, truths: dict[str, Truth], of: dict[str, int]) -> tuple[int, int, float]:
    inside: dict[int, Counter[int]] = defaultdict(Counter)
    for row in rows.ask("SELECT job, shape FROM runs WHERE failed AND shape IS NOT NULL"):
        unknown = truths[row["job"].removeprefix("train-")].unknown
        if unknown is not None:
            inside[of[row["shape"]]][unknown] += 1
    pure = sum(max(counts.values()) for counts in inside.values())
    every = sum(sum(counts.values()) for counts in inside.values())
    kinds = {kind for counts in inside.values() for kind in counts}
    return len(inside), len(kinds), pure / every if every else 0.0


def drained(rows: Rows, truths: dict[str, Truth]) -> tuple[int, int, float]:
    """Return the same for Drain3 on the same shapes, with its own settings."""
    from drain3 import TemplateMiner  # noqa: PLC0415  (only to compare with)

    miner = TemplateMiner()
    shapes = rows.ask(
        "SELECT DISTINCT shape FROM runs WHERE failed AND shape IS NOT NULL ORDER BY shape"
    )
    of = {row["shape"]: miner.add_log_message(row["shape"])["cluster_id"] for row in shapes}
    return _purity(rows, truths, of)


def invented(rows: Rows, seed: int) -> int:
    """Return how many nodes are suspected when outcomes are shuffled, over all shuffles."""
    found = rows.ask("SELECT nodes, failed FROM runs ORDER BY job")
    outcomes = [row["failed"] for row in found]
    lot = random.Random(seed)  # noqa: S311
    count = 0
    for _ in range(SHUFFLES):
        lot.shuffle(outcomes)
        runs, failed = Counter[str](), Counter[str]()
        for row, outcome in zip(found, outcomes, strict=True):
            runs.update(row["nodes"])
            failed.update(row["nodes"] if outcome else [])
        nodes = [Node(name, runs[name], failed[name]) for name in sorted(runs)]
        count += sum(one.suspect for one in against_chance(nodes, sum(outcomes), len(outcomes)))
    return count


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--jobs", type=int, default=5000)
    parser.add_argument("--seed", type=int, default=25)
    parser.add_argument("--ray", action="store_true", help="Ray on the same processors, too")
    parser.add_argument("--drain", action="store_true", help="Drain3 on the same shapes, too")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        corpus = Corpus(load_book(book_root(), strict=False), options.seed)
        truths = corpus.write(root / "logs", options.jobs)
        shards = sorted(path for path in (root / "logs").iterdir() if path.is_dir())
        logs = [path for shard in shards for path in shard.iterdir()]
        size = sum(path.stat().st_size for path in logs) / 1e6
        print(f"{options.jobs} jobs, {len(logs)} logs, {size:.0f} MB, {corpus.kinds} known kinds")
        sacct = ("--sacct", str(root / "logs/sacct.json"))
        _speed(root, shards, size, len(logs), sacct, ray=options.ray)
        with rows_of(root / "2") as rows:
            _answers(rows, truths, options.seed, drain=options.drain)


def _speed(
    root: Path, shards: list[Path], size: float, logs: int, sacct: Sequence[str], *, ray: bool
) -> None:
    few, peak, first = run(shards[:1], root / "few", "--processes", "1")
    print(f"{SHARD} jobs, 1 process: {few:.0f} s, peak {peak:.0f} MB, first process {first:.0f} MB")
    ways: dict[str, tuple[str, ...]] = {"1": ("--processes", "1"), "2": ("--processes", "2")}
    ways |= {"ray": ("--ray",)} if ray else {}
    for name, options in ways.items():
        seconds, peak, first = run(shards, root / name, *options, *sacct)
        print(
            f"all, {name}: {seconds:.0f} s, {size / seconds:.1f} MB/s, {logs / seconds:.0f} logs/s,"
            f" peak {peak:.0f} MB, first process {first:.0f} MB"
        )
    for name in ways:
        if _bytes(root / name) != _bytes(root / "2"):
            sys.exit(f"{name} and 2 processes do not write the same bytes")
    print(f"the same bytes: {', '.join(ways)}")


def _bytes(out: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in (out / "parts").iterdir()}


def _answers(rows: Rows, truths: dict[str, Truth], seed: int, *, drain: bool) -> None:
    counts = answers(rows, truths)
    every = counts.total()
    right = sum(count for name, count in counts.items() if name.endswith("right"))
    wrong = sum(count for name, count in counts.items() if name.endswith("wrong"))
    print(f"right {right / every:.4f}, wrong {wrong / every:.4f} of {every}")
    print(json.dumps(dict(sorted(counts.items()))))
    over = rows.ask("SELECT count(*) AS runs FROM runs WHERE outcome = 'unknown' AND NOT failed")
    print(f"completed by the scheduler, with an exception in the log: {over[0]['runs']}")
    clusters, kinds, pure = purity(rows, truths)
    print(f"{kinds} unknown kinds in {clusters} clusters, purity {pure:.3f}")
    if drain:
        clusters, kinds, pure = drained(rows, truths)
        print(f"Drain3: {kinds} unknown kinds in {clusters} clusters, purity {pure:.3f}")
    suspects = [one.name for one in rows.nodes() if one.suspect]
    print(f"planted nodes {', '.join(BAD_NODES)}; suspected: {', '.join(suspects) or 'none'}")
    print(f"suspected in {SHUFFLES} shuffles: {invented(rows, seed)}")


if __name__ == "__main__":
    main()
