"""Measure `fixbook triage` on a corpus made by lot: answers, clusters, nodes, memory.

    python -m bench.triage [--jobs 43000] [--seed 25] [--drain] [--folder FOLDER]

Known failures are the logs that entries declare, after a healthy beginning and with other folders,
ranks and times, so that they measure the way through the pipeline, not how well unseen logs are
recognised (`bench.find` does). `bench.triage_speed` measures how fast. What is found is kept in
`docs/triage.json` and written into the pages.
"""

from __future__ import annotations

import argparse
import json
import random
import tempfile
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

from bench.triage_corpus import BAD_NODES, KINDS_UNKNOWN, Corpus, Truth
from bench.triage_page import keep, write_measured
from bench.triage_run import run
from fixbook.book import load_book
from fixbook.book_root import book_root
from fixbook.triage.clusters import clusters_of
from fixbook.triage.nodes import Node, against_chance
from fixbook.triage.queries import Rows, rows_of

SHUFFLES = 20


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


def measure(root: Path, jobs: int, seed: int, *, drain: bool = False) -> dict[str, Any]:
    """Make jobs, read them and judge the answers.

    Args:
        root: Where to; what an earlier run has finished there is not read again.
        jobs: How many.
        seed: Of the lot.
        drain: Whether Drain3 is asked, too.
    """
    corpus = Corpus(load_book(book_root(), strict=False), seed)
    truths = corpus.write(root / "logs", jobs)
    shards = sorted(path for path in (root / "logs").iterdir() if path.is_dir())
    sizes = [path.stat().st_size for shard in shards for path in shard.iterdir()]
    print(f"{jobs} jobs, {len(sizes)} logs, {sum(sizes) / 1e6:.0f} MB, {corpus.kinds} known kinds")
    one = ("--processes", "1")
    few = run(shards[:1], root / "few", *one)
    every = run([root / "logs"], root / "all", "--sacct", str(root / "logs/sacct.json"), *one)
    with rows_of(root / "all") as rows:
        found = judged(rows, truths, seed)
        if drain:
            clusters, kinds, pure = drained(rows, truths)
            print(f"Drain3: {kinds} unknown kinds in {clusters} clusters, purity {pure:.3f}")
    return found | {
        "logs": len(sizes),
        "bytes": sum(sizes),
        "known": corpus.kinds,
        "few": len([*shards[0].iterdir()]),
        "peak_few": few.peak,
        "peak_logs": len(sizes),
        "peak": every.peak,
    }


def judged(rows: Rows, truths: dict[str, Truth], seed: int) -> dict[str, Any]:
    """Judge answers, clusters and nodes."""
    counts = answers(rows, truths)
    every = counts.total()
    over = rows.ask("SELECT count(*) AS runs FROM runs WHERE outcome = 'unknown' AND NOT failed")
    clusters, kinds, pure = purity(rows, truths)
    suspects = {one.name for one in rows.nodes() if one.suspect}
    return {
        "jobs": every,
        "right": sum(n for name, n in counts.items() if name.endswith("right")) / every,
        "wrong": sum(n for name, n in counts.items() if name.endswith("wrong")) / every,
        "counts": dict(sorted(counts.items())),
        "over": over[0]["runs"],
        "unknown": KINDS_UNKNOWN,
        "kinds": kinds,
        "clusters": clusters,
        "purity": pure,
        "planted": len(BAD_NODES),
        "found": len(suspects & set(BAD_NODES)),
        "false": len(suspects - set(BAD_NODES)),
        "shuffles": SHUFFLES,
        "invented": invented(rows, seed),
    }


def main() -> None:
    """Measure, print, keep and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--jobs", type=int, default=43_000)
    parser.add_argument("--seed", type=int, default=25)
    parser.add_argument("--drain", action="store_true", help="Drain3 on the same shapes, too")
    parser.add_argument("--folder", type=Path, help="keep logs and answers there, and go on there")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        root = options.folder or Path(folder)
        found = measure(root, options.jobs, options.seed, drain=options.drain)
    print(json.dumps(found, indent=1))
    keep("answers", found)
    write_measured()


if __name__ == "__main__":
    main()
