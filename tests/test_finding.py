"""What people paste leads to the right entry, and what is well leads to none."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import yaml

from bench.finding import FAMILIES, Ask, Diagnoser, accuracy, corpus, own_logs, queries
from bench.healthy_logs import healthy_logs
from tests.real_book import real_diagnoser, usable_book

if TYPE_CHECKING:
    from fixbook.book import Book

JOB = Path(__file__).parent / "jobs" / "one_rank_runs_out.py"
OOM = "[rank3]: torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 3 has"
# What launchers, Ray, engines and other ranks say after somebody else has failed.
CONSEQUENCES = (
    "torch.distributed.elastic.multiprocessing.errors.ChildFailedError: ",
    "ERROR:torch.distributed.elastic.multiprocessing.api:failed (exitcode: -9) local_rank: 2",
    "ray.exceptions.ActorDiedError: The actor died unexpectedly before finishing this task.",
    "ray.exceptions.RayTaskError(RuntimeError): ray::WorkerDict.update() (pid=1, ip=10.0.0.1)",
    "RuntimeError: Engine core initialization failed. See root cause above. Failed core proc(s):",
    "RuntimeError: CUDA error: CUBLAS_STATUS_EXECUTION_FAILED when calling `cublasGemmEx( handle",
    "RuntimeError: CUDA error: CUBLAS_STATUS_NOT_INITIALIZED when calling `cublasCreate(handle)`",
    "RuntimeError: [../gloo/gloo/transport/tcp/pair.cc:534] Connection closed by peer [10.0.0.1]:1",
    "[rank0]:[E ProcessGroupNCCL.cpp:629] [Rank 0] Watchdog caught collective operation timeout:",
    "ncclRemoteError: A call failed possibly due to a network error or a remote process exiting",
    "RuntimeError: DataLoader worker (pid 3221) is killed by signal: Killed. ",
)


@pytest.fixture(scope="module")
def book() -> Book:
    return usable_book()


@pytest.fixture(scope="module")
def diagnoser() -> Diagnoser:
    return real_diagnoser()


def _misses(asks: list[Ask], answers: list[list[str]]) -> str:
    rows = zip(asks, answers, strict=True)
    return "\n".join(
        f"{ask.name}: {answer[:3]}" for ask, answer in rows if not ask.right & {*answer[:1]}
    )


def test_own_logs(book: Book, diagnoser: Diagnoser) -> None:
    asks = [*own_logs(book)]
    answers = diagnoser.all_ranked([ask.text for ask in asks])
    assert accuracy(asks, answers, 1) == 1.0, _misses(asks, answers)


def test_queries(book: Book, diagnoser: Diagnoser) -> None:
    asks = [*queries(book)]
    answers = diagnoser.all_ranked([ask.text for ask in asks])
    assert accuracy(asks, answers, 1) >= 0.97, _misses(asks, answers)
    assert accuracy(asks, answers, 3) >= 0.99, _misses(asks, answers)
    assert all(answers)


def test_pastes_are_recognised_by_signature(book: Book, diagnoser: Diagnoser) -> None:
    for ask in queries(book):
        if ask.group in {"line", "variant", "paste"}:
            best = diagnoser.diagnosis(ask.text).best
            assert best is not None, ask.name
            assert best.owner in ask.right, f"{ask.name}: {best.owner}"


@pytest.mark.parametrize("line", CONSEQUENCES)
def test_a_consequence_never_hides_the_cause(diagnoser: Diagnoser, line: str) -> None:
    alone = diagnoser.diagnosis(line).best
    assert alone is not None
    assert alone.secondary
    for text in (f"{line}\n{OOM}", f"{OOM}\n{line}"):
        best = diagnoser.diagnosis(text).best
        assert best is not None
        assert best.owner == "out-of-memory"
        assert best.line.rank == 3


def test_healthy_logs(diagnoser: Diagnoser) -> None:
    logs = dict(healthy_logs())
    assert len(logs) >= 50
    assert sum(len(text.encode()) for text in logs.values()) >= 50_000_000
    found = [
        f"{name}:{match.line.number}: {match.owner}"
        for name, text in logs.items()
        for match in diagnoser.diagnosis(text).matches
    ]
    assert not found


def test_families_name_what_exists(book: Book) -> None:
    table = yaml.safe_load(FAMILIES.read_text("utf-8"))
    for family, answer in table["entries"].items():
        shared = {share.id for share in book.entries[answer["entry"]].entry.symptoms}
        assert shared.issuperset(answer["messages"]), family
    for family, messages in table["messages"].items():
        assert set(messages) <= set(book.symptoms), family
    assert not table["entries"].keys() & table["messages"].keys()


def test_rows_of_a_corpus_are_judged(book: Book, tmp_path: Path) -> None:
    rows = [
        {"id": "a", "family": "torch-oom", "text": OOM},
        {"id": "b", "family": "elsewhere", "also": ["torch-oom"], "text": OOM},
        {"id": "c", "family": "elsewhere", "text": OOM},
    ]
    path = tmp_path / "rows.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)), "utf-8")
    groups = [(ask.group, "out-of-memory" in ask.right) for ask in corpus(book, path)]
    assert groups == [("corpus: entry", True), ("corpus: entry", True), ("corpus: neither", False)]


@pytest.mark.recipes
def test_the_rank_that_failed_is_named(tmp_path: Path) -> None:
    """Four ranks over gloo, one of which runs out of memory by itself."""
    logs = tmp_path / "logs"
    launcher = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node=4"]
    ran = subprocess.run(
        [*launcher, "--log-dir", str(logs), "--redirects", "3", str(JOB)],
        env={**os.environ, "OMP_NUM_THREADS": "1", "HF_HUB_OFFLINE": "1"},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=180,
        check=False,
    )
    assert ran.returncode != 0
    told = subprocess.run(
        [sys.executable, "-m", "fixbook", "diagnose", "--json", str(logs)],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    answer = json.loads(told.stdout)["answer"]
    assert answer["slug"] == "oom-activations-and-logits", told.stdout
    assert answer["rank"] == 2
    assert answer["ranks"] == [2]
    assert "DefaultCPUAllocator" in answer["text"]
    assert [capture["name"] for capture in answer["captures"]] == ["bytes"]
