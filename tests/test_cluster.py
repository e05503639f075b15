"""Steps run on a Ray cluster show what they show here, and a node that is lost takes none of them.

The cluster is Ray's own: several nodes, each with its processes, on this machine.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import psutil
import pytest
import ray
from ray.cluster_utils import Cluster

from fixbook.cluster import steps
from fixbook.cluster.connection import LOCAL, connected
from fixbook.environment import GIB
from fixbook.exits import DONE, INTERRUPTED, UNUSABLE
from fixbook.index.build import index_of
from fixbook.problem import BookError
from fixbook.recipe.author.steps import Needs, Step
from fixbook.recipe.reading import read_outline
from fixbook.recipe.record import load_evidence, seal_holds
from fixbook.recipe.running import Budget, Job
from tests.conftest import RECIPE
from tests.waiting import LONG_S, ends, text_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from fixbook.book import Book

ROOT = Path(__file__).parents[1]
NODES = 3
NODE = {"num_cpus": 1}
# The driver is on this one, and does not outlive it. Lost is who does not answer for two seconds.
SOON = {"health_check_period_ms": 500, "health_check_failure_threshold": 4}
HEAD = {"num_cpus": 0, "_system_config": SOON}
WAITS = """
@fix("mend-it", control="it-breaks")
def mended():
    import os, pathlib, time
    mark = pathlib.Path({mark!r})
    if not mark.exists():
        mark.write_text(str(os.getpid()))
        time.sleep(600)
    return fill(mended=True)
"""


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", str(ROOT))  # the nodes' own Fixbook
        cluster = Cluster(initialize_head=True, head_node_args=HEAD)
        for _ in range(NODES - 1):
            cluster.add_node(**NODE)
        yield cluster.address
        cluster.shutdown()


def started(root: Path, *arguments: str) -> subprocess.Popen[str]:
    env = {**os.environ, "FIXBOOK_BOOK": str(root), "LANG": "C.UTF-8", "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "fixbook", "verify", *arguments]
    return subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=env, cwd=ROOT
    )


def waiting(mark: Path) -> str:
    """Return a recipe whose fix writes its process id into a file and waits, the first time."""
    before = RECIPE[: RECIPE.index('@fix("mend-it"')]
    return before + WAITS.format(mark=str(mark)) + RECIPE[RECIPE.index("@non_fix") :]


def step_of(book: Book) -> Step:
    return read_outline(book.get("widget-overflow").recipe).steps["it-breaks"]


def statuses(output: str) -> dict[str, str]:
    return {one["step"]: one["verdict"] for one in json.loads(output)["steps"]}


def test_the_records_are_those_of_one_machine(make_book: Callable[..., Book], address: str) -> None:
    book = make_book()
    run = started(book.root, "--record", "--json", "--ray", address)
    output, said = run.communicate(timeout=LONG_S)
    assert run.returncode == DONE, said
    assert set(statuses(output).values()) == {"passed"}
    (evidence,) = load_evidence(book.get("widget-overflow")).values()
    assert all(seal_holds(evidence, name) for name in evidence.steps)
    assert {step.start for step in evidence.steps.values()} == {"cold"}
    assert evidence.steps["broken-widget"].measures["size"] == 9
    changed = started(book.root, "--changed")
    assert "nothing changed" in changed.communicate(timeout=LONG_S)[1]


@pytest.mark.parametrize("lost", ["worker", "node"])
def test_what_is_lost_was_not_run(
    make_book: Callable[..., Book], address: str, tmp_path: Path, lost: str
) -> None:
    mark = tmp_path / "runs"
    book = make_book(recipe=waiting(mark))
    run = started(book.root, "--record", "--json", "--ray", address)
    step = psutil.Process(int(text_of(mark)))
    worker = next(one for one in step.parents() if one.name().startswith("ray::"))
    dies = worker if lost == "worker" else worker.parent()
    assert dies is not None
    dies.kill()
    output, said = run.communicate(timeout=LONG_S)
    with contextlib.suppress(psutil.NoSuchProcess):  # a node takes what runs there with it
        step.kill()
    assert run.returncode == DONE, said
    found = statuses(output)
    assert found.pop("mended") == "skipped"
    assert set(found.values()) == {"passed"}
    (why,) = [one["reason"] for one in json.loads(output)["steps"] if one["step"] == "mended"]
    assert "its Ray task ended before the step did" in why
    (evidence,) = load_evidence(book.get("widget-overflow")).values()
    assert evidence.steps["mended"].verdict == "skipped"
    again = started(book.root, "--record", "--changed", "--json", "--ray", address)
    assert statuses(again.communicate(timeout=LONG_S)[0])["mended"] == "passed"


def test_ctrl_c_cancels_what_runs(
    make_book: Callable[..., Book], address: str, tmp_path: Path
) -> None:
    mark = tmp_path / "runs"
    book = make_book(recipe=waiting(mark))
    run = started(book.root, "--record", "--ray", address)
    step = int(text_of(mark))
    run.send_signal(signal.SIGINT)
    said = run.communicate(timeout=LONG_S)[1]
    assert run.returncode == INTERRUPTED, said
    assert "what ended before is recorded" in said
    assert ends(step)


def test_a_run_without_time_starts_nothing(make_book: Callable[..., Book], address: str) -> None:
    book = make_book()
    jobs = [Job(book.get("widget-overflow"), step_of(book))]
    ran = [*steps.run_jobs_on_ray(jobs, index_of(book), {}, address, budget=Budget(1e-9))]
    assert ["not started" in one.verdict.reason for one in ran] == [True]


@pytest.mark.parametrize(
    ("on", "gpus", "given"),
    [("cpu", 8, 0), ("any", 0, 0), ("any", 1, 1), ("cuda", 0, 0), ("cuda>=4", 2, 2)],
)
def test_gpus_that_a_step_is_given(on: str, gpus: int, given: int) -> None:
    largest = steps.Largest(cpus=2, memory=GIB, gpus=gpus)
    assert steps._gpus(Step("it", "reproduce", Needs(on=on)), largest) == given


def test_a_node_with_another_book_runs_nothing(
    make_book: Callable[..., Book], monkeypatch: pytest.MonkeyPatch
) -> None:
    book = make_book()
    item, step = book.get("widget-overflow"), step_of(book)
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "")
    asked = steps.Asked(Job(item, step), digest="another", seconds=60, gpus=0)
    result = steps._run(asked, index_of(book))
    assert result.verdict.status == "skipped"
    assert "holds another state of the book" in result.verdict.reason


def test_a_cluster_that_is_not_there(make_book: Callable[..., Book]) -> None:
    run = started(make_book().root, "--ray", "127.0.0.1:1")
    said = run.communicate(timeout=LONG_S)[1]
    assert run.returncode == UNUSABLE
    assert "no Ray cluster answers there" in said
    assert "Traceback" not in said


@pytest.mark.parametrize(
    ("ranks", "gib", "wanted"),
    [(1, 4.0, (1, 4)), (4, 99.0, (2, 8))],
)
def test_nobody_asks_for_more_than_the_largest_node(
    ranks: int, gib: float, wanted: tuple[int, int]
) -> None:
    largest = steps.Largest(cpus=2, memory=8 * GIB, gpus=0)
    needs = Needs(ranks=ranks, memory_gib=gib)
    options: dict[str, Any] = largest.options(Step("it", "reproduce", needs), 0)
    assert (options["num_cpus"], options["memory"] // GIB) == wanted
    assert options["max_retries"] == 0


def test_a_ray_of_another_version_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def init(**_: Any) -> None:
        raise RuntimeError("Version mismatch: The cluster was started with:\n    Ray: 2.40.0\n")

    monkeypatch.setattr("ray.init", init)
    with pytest.raises(BookError, match=r"started with: Ray: 2\.40\.0"), connected("auto"):
        pass


GOES_AWAY = """
import sys
from fixbook.cli import run_command
from fixbook.cli.triage import command
from fixbook.cluster import pulse
from fixbook.triage import listing

listing.MOST_JOBS, pulse.LOST_AFTER_S, pulse.EVERY_S = 1, 1.0, 0.2
sys.exit(run_command(command, sys.argv[1:]))
"""


HELD_FAST = """
import signal, sys, time
from functools import partial
from fixbook.cluster import connection, pulse

pulse.LOST_AFTER_S, pulse.EVERY_S, pulse.PATIENCE_S = 0.1, 0.1, 0.2
signal.signal(signal.SIGINT, signal.SIG_IGN)  # as where Ray does not give way
nobody = ("127.0.0.1", 9)
with pulse.Pulse(nobody, partial(connection._end, "127.0.0.1:9")).beating():
    time.sleep(300)
"""


def test_a_thread_that_ray_holds_fast_does_not_keep_it_from_being_said() -> None:
    done = subprocess.run(
        [sys.executable, "-c", HELD_FAST],
        check=False,
        capture_output=True,
        text=True,
        cwd=ROOT,
        timeout=LONG_S,
    )
    assert done.returncode == UNUSABLE, done.stderr
    assert "no Ray cluster answers there" in done.stderr


def test_workers_of_this_machine_alone_do_not_stand_back(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: dict[str, str] = {}
    monkeypatch.setenv("RAY_worker_niceness", "")  # put back afterwards
    monkeypatch.delenv("RAY_worker_niceness")
    monkeypatch.setattr(ray, "init", lambda **_: seen.update(os.environ))
    monkeypatch.setattr(ray, "shutdown", lambda: None)
    with connected(LOCAL):
        assert seen["RAY_worker_niceness"] == "0"


def parts_of(out: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in out.glob("parts/*.parquet")}


def test_a_cluster_that_goes_away_amid_a_triage_is_said_and_what_was_finished_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("duckdb")
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    logs, out = tmp_path / "logs", tmp_path / "out"
    logs.mkdir()
    for name in "abcdefgh":  # Ray reads them in an order of its own: the long one is not the first
        (logs / f"{name}.log").write_text("step 1\n")
    with (logs / "z.log").open("wb") as long:  # is being read while its cluster goes away
        long.truncate(400 * GIB)
    cluster = Cluster(initialize_head=True, head_node_args=HEAD)
    try:
        cluster.add_node(**NODE)
        words = [str(logs), "--out", str(out), "--ray", cluster.address, "--lang", "en"]
        pipe = subprocess.PIPE
        run = subprocess.Popen(
            [sys.executable, "-c", GOES_AWAY, *words], stdout=pipe, stderr=pipe, text=True, cwd=ROOT
        )
        deadline = time.monotonic() + LONG_S
        while not [*out.glob("parts/*.parquet")] and time.monotonic() < deadline:
            time.sleep(0.05)
        kept = parts_of(out)
        cluster.remove_node(cluster.head_node, allow_graceful=False)
        said = run.communicate(timeout=LONG_S)[1]
    finally:
        cluster.shutdown()
    assert run.returncode == UNUSABLE, said
    assert "no Ray cluster answers there" in said
    assert "what is finished is kept" in said
    assert "Traceback" not in said
    assert kept
    assert kept.items() <= parts_of(out).items()
