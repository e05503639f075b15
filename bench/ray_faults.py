"""Kill a worker, a node and the driver amid `fixbook triage --ray`, and steps of `verify --ray`.

    python -m bench.ray_faults [--moments 10] [--jobs 90] [--only worker,node,driver,steps]

The cluster has three nodes, each with its processes, on this machine. Each run is disturbed once,
when so many of its partitions are written; its answer has to be that of an undisturbed one, byte
for byte. A killed driver is started again. Run by hand: it takes a minute a moment.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import psutil
from ray.cluster_utils import Cluster

from bench.ray_step_faults import steps_disturbed
from bench.triage_corpus import Corpus
from bench.triage_run import PATTERN
from fixbook.book import load_book
from fixbook.book_root import book_root

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

NODES, JOBS_A_PARTITION = 3, 3
LONG_S = 400.0
_HEAD = {"num_cpus": 0, "_system_config": {"health_check_period_ms": 500}}
_DRIVER = """
import sys
from fixbook.cli import run_command
from fixbook.cli.triage import command
from fixbook.triage import listing
listing.MOST_JOBS = {most}
sys.exit(run_command(command, sys.argv[1:]))
"""


@dataclass(slots=True)
class Outcome:
    """What became of one run that was disturbed.

    Attributes:
        killed: A worker, a node or the driver.
        moment: How many partitions were written by then.
        equal: Whether all files of its answer are those of the undisturbed run.
        code: How it ended; of a driver, how the second one did.
        seconds: How long it took in all.
        kept: Of a driver: how many partitions the second one did not have to read again.
        differs: Files that are not those of the undisturbed run.
        said: The end of what it said, if it did not end well.
    """

    killed: str
    moment: int
    equal: bool = False
    code: int | None = None
    seconds: float = 0.0
    kept: int = 0
    differs: list[str] = field(default_factory=list)
    said: str = ""


class Nodes:
    """A cluster of a head, which reads nothing, and of nodes with one processor each."""

    def __init__(self) -> None:
        self._cluster = Cluster(initialize_head=True, head_node_args=_HEAD)
        self._others = [self._cluster.add_node(num_cpus=1) for _ in range(NODES - 1)]
        self.address: str = self._cluster.address

    def workers(self) -> list[psutil.Process]:
        """Return the processes that read."""
        found = []
        for node in self._others:
            with contextlib.suppress(psutil.Error):
                raylet = psutil.Process(node.all_processes["raylet"][0].process.pid)
                found += [one for one in raylet.children() if _reads(one)]
        return found

    def lose(self) -> None:
        """Lose a node with all that runs there."""
        self._cluster.remove_node(self._others.pop(0), allow_graceful=False)

    def mend(self) -> None:
        """Put another one in its place."""
        while len(self._others) < NODES - 1:
            self._others.append(self._cluster.add_node(num_cpus=1))

    def end(self) -> None:
        """End the cluster."""
        self._cluster.shutdown()


def _reads(process: psutil.Process) -> bool:
    with contextlib.suppress(psutil.Error):
        return "MapWorker" in " ".join(process.cmdline())
    return False


@dataclass(frozen=True, slots=True)
class Bench:
    """Logs, a cluster that reads them, and the answer that is right."""

    nodes: Nodes
    logs: Path
    place: Path

    def start(self, out: str) -> subprocess.Popen[str]:
        """Begin to read."""
        words = [str(self.logs), "--out", str(self.place / out), "--job-pattern", PATTERN]
        words += ["--lang", "en", "--ray", self.nodes.address]
        command = [sys.executable, "-c", _DRIVER.format(most=JOBS_A_PARTITION), *words]
        env = {**os.environ, "PYTHONPATH": str(Path.cwd())}
        pipe = subprocess.PIPE
        return subprocess.Popen(command, stdout=pipe, stderr=subprocess.STDOUT, text=True, env=env)

    def parts(self, out: str) -> int:
        """Count what is written."""
        return len(list((self.place / out / "parts").glob("*.parquet")))

    def answer(self, out: str) -> dict[str, bytes]:
        """Return all files of an answer."""
        folder = self.place / out
        paths = (path for path in sorted(folder.rglob("*")) if path.is_file())
        return {str(one.relative_to(folder)): one.read_bytes() for one in paths}


def disturbed(bench: Bench, killed: str, moment: int, right: dict[str, bytes]) -> Outcome:
    """Run once, and kill something when so many partitions are written."""
    done = Outcome(killed, moment)
    out = f"{killed}-{moment}"
    began = time.monotonic()
    run = bench.start(out)
    while run.poll() is None and (bench.parts(out) < moment or not bench.nodes.workers()):
        time.sleep(0.02)
    if run.poll() is None:
        _kill(bench.nodes, run, killed)
    else:
        done.said = "it was over before anything could be killed"
    said = run.communicate(timeout=LONG_S)[0]
    if killed == "driver":
        done.kept = bench.parts(out)
        run = bench.start(out)
        said = run.communicate(timeout=LONG_S)[0]
    done.seconds, done.code = round(time.monotonic() - began, 1), run.returncode
    found = bench.answer(out)
    done.differs = [one for one in {**right, **found} if right.get(one) != found.get(one)]
    done.equal = not done.differs
    if run.returncode or not done.equal:
        done.said = said[-1500:]
    bench.nodes.mend()
    return done


def _kill(nodes: Nodes, run: subprocess.Popen[str], killed: str) -> None:
    if killed == "node":
        nodes.lose()
    elif killed == "driver":
        run.kill()
    else:
        for one in nodes.workers()[:1]:
            one.kill()


def main() -> None:
    """Disturb, and print a line for each run."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--moments", type=int, default=10)
    parser.add_argument("--jobs", type=int, default=90)
    parser.add_argument("--only", default="worker,node,driver,steps")
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    os.environ["PYTHONPATH"] = str(Path.cwd())  # the nodes' own Fixbook
    rows: list[dict[str, Any]] = []

    def tell(row: dict[str, Any]) -> None:
        rows.append(row)
        print(*(f"{name}={value}" for name, value in row.items()), flush=True)
        if given.json:
            given.json.write_text(json.dumps(rows, indent=1) + "\n", "utf-8")

    wanted = given.only.split(",")
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        nodes = Nodes()
        try:
            if "steps" in wanted:
                for row in steps_disturbed(nodes, place / "book", given.moments):
                    tell(row)
            kinds = [one for one in wanted if one != "steps"]
            for done in _triages(nodes, place, kinds, given.moments, given.jobs, tell):
                tell(asdict(done))
        finally:
            nodes.end()
    print(f"{len(rows)} disturbed runs, not as they should be: {sum(not _well(r) for r in rows)}")


def _well(row: dict[str, Any]) -> bool:
    return bool(row["equal"]) and row["code"] == 0


def _triages(
    nodes: Nodes,
    place: Path,
    kinds: list[str],
    moments: int,
    jobs: int,
    tell: Callable[[dict[str, Any]], None],
) -> Iterator[Outcome]:
    if not kinds:
        return
    Corpus(load_book(book_root(), strict=False), 25).write(place / "logs", jobs)
    bench = Bench(nodes, place / "logs", place)
    began = time.monotonic()
    said = bench.start("undisturbed").communicate(timeout=LONG_S)[0]
    right, count = bench.answer("undisturbed"), bench.parts("undisturbed")
    if not count:
        sys.exit(said)
    print(f"undisturbed: {count} partitions, {time.monotonic() - began:.1f} s", flush=True)
    tell(asdict(Outcome("nothing", count, equal=_again(bench) == right, code=0)))
    for at in range(moments):
        for killed in kinds:
            yield disturbed(bench, killed, at * count // moments, right)


def _again(bench: Bench) -> dict[str, bytes]:
    bench.start("again").communicate(timeout=LONG_S)
    return bench.answer("again")


if __name__ == "__main__":
    main()
