"""Many logs at once: each is answered as by itself, and what went wrong costs only itself."""

from __future__ import annotations

import gzip
import json
import os
import random
import re
import subprocess
import sys
import tarfile
from fractions import Fraction
from math import comb
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

pytest.importorskip("duckdb")
pytest.importorskip("rapidfuzz")

from fixbook.cli import run_command
from fixbook.cli.triage import command
from fixbook.triage import local, nodes
from fixbook.triage.clusters import put_together
from fixbook.triage.nodes import Node, against_chance, tail
from fixbook.triage.queries import RELEASES, rows_of
from fixbook.triage.worker import Worker

if TYPE_CHECKING:
    from fixbook.triage.listing import Job

ROOT = Path(__file__).parents[1]
TWICE = (
    "RuntimeError: Trying to backward through the graph a second time (or directly access saved"
    " tensors after they have already been freed). key hf_abcdefghijklmnopqrstuvwxyzABCDEF\n"
)
STRANGE = """2026-05-0{day} 10:00:00 step 3
Traceback (most recent call last):
  File "/home/me/{name}.py", line {line}, in <module>
    frobnicate()
  File "/opt/lib/python3.11/site-packages/frob/core.py", line 7, in frobnicate
    raise FrobError("no frob")
frob.errors.FrobError: no frob {line} left on shelf '{name}'
"""
DIES = "dies.log"


@pytest.fixture
def logs(tmp_path: Path) -> Path:
    """Jobs for every kind of answer."""
    root = tmp_path / "logs"
    (root / "twice/attempt_0/0").mkdir(parents=True)
    (root / "twice/attempt_0/1").mkdir()
    (root / "twice/attempt_0/0/stderr.log").write_text("NCCL watchdog: fine\n")
    (root / "twice/attempt_0/1/stderr.log").write_text(TWICE)
    (root / "healthy-170-n1.out").write_text("2026-05-02 10:00:00 step 1 loss 2.1\n" * 9)
    for day, name in enumerate(("alice", "bob", "carol"), start=1):
        text = STRANGE.format(day=day, name=name, line=day * 11)
        (root / f"{name}-10{day}-n{day}.out").write_text(text)
    over = STRANGE.format(day=5, name="dave", line=9)
    (root / "dave-105.out").write_text(over + "".join(f"step {n} loss 2.{n}\n" for n in range(9)))
    (root / "torn.log.gz").write_bytes(gzip.compress(os.urandom(9000))[:20])
    (root / "out.log").symlink_to(tmp_path / "elsewhere.log")
    (tmp_path / "elsewhere.log").write_text(TWICE)
    return root


def run(logs: Path, *options: str, out: str = "out") -> Path:
    folder = logs.parent / out
    arguments = [str(logs), "--out", str(folder), "--processes", "1", *options]
    assert run_command(command, [*arguments, "--lang", "en"]) == 0
    return folder


def answers(out: Path) -> dict[str, dict[str, Any]]:
    with rows_of(out) as rows:
        return {row["job"]: row for row in rows.ask("SELECT * FROM runs")}


def parts(out: Path) -> dict[str, bytes]:
    whole = (out / "parts").glob("[!.]*")  # a killed worker may leave a torn one, hidden, behind
    return {path.name: path.read_bytes() for path in sorted(whole)}


def test_each_job_has_its_answer_and_the_rest_is_kept(logs: Path) -> None:
    out = run(logs)
    rows = answers(out)
    assert {name: row["outcome"] for name, row in rows.items()} == {
        "logs/twice": "entry",
        "logs/healthy-170": "quiet",
        **{f"logs/{name}": "unknown" for name in ("alice-101", "bob-102", "carol-103")},
        "logs/dave-105": "unsure",  # it went on
        "logs/torn.log.gz": "unreadable",
        "logs/out.log": "refused",
    }
    twice = rows["logs/twice"]
    assert twice["rank"] == 1
    assert twice["source"] == "logs/twice/attempt_0/1/stderr.log"
    assert "hf_abc" not in json.dumps(rows, default=str)  # redacted
    bob = rows["logs/bob-102"]
    assert (bob["node"], bob["nodes"], bob["times"]) == ("n2", ["n2"], "log")
    assert "/home/me" not in bob["excerpt"]
    (cluster,) = (json.loads(path.read_text()) for path in (out / "clusters").iterdir())
    assert (cluster["runs"], cluster["nodes"]) == (3, ["n1", "n2", "n3"])
    kept = {path: path.stat().st_mtime_ns for path in (out / "parts").iterdir()}
    run(logs)
    assert {path: path.stat().st_mtime_ns for path in (out / "parts").iterdir()} == kept
    (logs / "healthy-170-n1.out").write_text(TWICE)  # another log: its partition is read again
    assert answers(run(logs))["logs/healthy-170"]["outcome"] == "entry"
    assert len(parts(out)) == len(kept)


def test_an_archive_has_the_answers_of_the_folder_in_it(logs: Path) -> None:
    rows = {name: row["outcome"] for name, row in answers(run(logs)).items()}
    with tarfile.open(logs.parent / "logs.tar.gz", "w:gz") as archive:
        archive.add(logs, "logs")
    packed = answers(run(logs.parent / "logs.tar.gz", out="packed"))
    del rows["logs/out.log"]  # links inside archives are no logs
    named = {name.removeprefix("logs.tar.gz/"): row["outcome"] for name, row in packed.items()}
    assert named == rows


def test_no_text_keeps_no_line(logs: Path) -> None:
    out = run(logs, "--no-text")
    assert {row["line"] for row in answers(out).values()} == {None}
    texts = b"".join(path.read_bytes() for path in out.rglob("*") if path.is_file())
    for word in (b"frob left", b"no frob", b"directly access saved"):
        assert word not in texts
    assert len([*(out / "clusters").iterdir()]) == 1


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_report_asks_nothing_of_a_network_and_shows_logs_as_text(logs: Path, lang: str) -> None:
    text = STRANGE.format(day=4, name="<script>alert(1)</script>", line=5)
    (logs / "odd-104-n4.out").write_text(
        text.replace("FrobError: no frob", "OddError: <img src=x>")
    )
    out = run(logs)
    assert run_command(command, [str(logs), "--out", str(out), "--lang", lang]) == 0
    page = (out / "report.html").read_text("utf-8")
    assert not re.search(r"<[^>]+ (?:src|href)=|<script|<img|@import|url\(", page)
    assert "default-src 'none'" in page
    assert "&lt;img src=x&gt;" in page
    assert ("书里没有的失败" in page) == (lang == "zh")


def test_of_kinds_as_frequent_as_each_other_the_first_by_name_stands_beside_a_release(
    tmp_path: Path,
) -> None:
    """DuckDB's own mode takes another one each time."""
    logs = tmp_path / "logs"
    logs.mkdir()
    for number, letter in enumerate("dbca" * 3):
        said = STRANGE.format(day=1, name="one", line=number)
        (logs / f"run{number}.log").write_text(said.replace("Frob", letter.upper()))
    out = run(logs)
    with rows_of(out) as rows:
        for _ in range(8):
            (row,) = rows.ask(RELEASES)
            assert (row["runs"], row["kinds"]) == (12, 4)
            assert row["what"].endswith("AError"), row


def test_two_processes_and_one_write_the_same_bytes(logs: Path) -> None:
    one, two = run(logs), run(logs, "--processes", "2", out="two")
    assert parts(one) == parts(two)
    assert (one / "report.html").read_bytes() == (two / "report.html").read_bytes()


def _begin_with_one_that_dies(out: Path, text: bool) -> None:  # noqa: FBT001
    class Mortal(Worker):
        def row(self, job: Job) -> dict[str, Any]:
            if any(log.name.endswith(DIES) for log in job.logs):
                os._exit(9)
            return super().row(job)

    local._here[:] = [Mortal(out, text=text)]


def test_a_log_that_ends_its_process_costs_itself_only(
    logs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (logs / DIES).write_text(TWICE)
    monkeypatch.setattr(local, "_begin", _begin_with_one_that_dies)
    rows = answers(run(logs, "--processes", "2"))
    assert rows[f"logs/{DIES}"]["outcome"] == "unreadable"
    assert "was ended" in rows[f"logs/{DIES}"]["problem"]
    assert rows["logs/twice"]["outcome"] == "entry"


def test_a_folder_without_logs_and_a_full_disk_are_said(
    logs: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    empty = logs.parent / "empty"
    empty.mkdir()
    assert run_command(command, [str(empty), "--out", str(logs.parent / "o"), "--lang", "en"]) == 2
    assert "holds no log" in capsys.readouterr().err

    def full(*_: Any, **__: Any) -> None:
        raise OSError(28, "No space left on device")

    out = run(logs)
    monkeypatch.setattr("fixbook.cli.triage.write_atomically", full)
    assert run_command(command, [str(logs), "--out", str(out), "--lang", "en"]) == 2
    assert "No space left on device" in capsys.readouterr().err


def test_the_test_is_exact() -> None:
    for failed, runs, all_failed, all_runs in ((3, 4, 10, 40), (0, 5, 3, 9), (7, 7, 7, 50)):
        exact = sum(
            Fraction(comb(all_failed, hits) * comb(all_runs - all_failed, runs - hits))
            for hits in range(failed, min(runs, all_failed) + 1)
        ) / comb(all_runs, runs)
        assert tail(failed, runs, all_failed, all_runs) == pytest.approx(float(exact), rel=1e-9)


def _seen(outcomes: list[bool], places: list[str]) -> list[Node]:
    found = []
    for name in sorted(set(places)):
        own = [failed for failed, place in zip(outcomes, places, strict=True) if place == name]
        found.append(Node(name, len(own), sum(own)))
    return against_chance(found, sum(outcomes), len(outcomes))


def test_a_bad_node_is_found_and_none_is_invented() -> None:
    chance = random.Random(7)  # noqa: S311
    places = [f"n{chance.randrange(60):02}" for _ in range(2400)]
    outcomes = [chance.random() < (0.78 if place == "n17" else 0.3) for place in places]
    assert [one.name for one in _seen(outcomes, places) if one.suspect] == ["n17"]
    for _ in range(20):
        chance.shuffle(outcomes)
        assert not any(one.suspect for one in _seen(outcomes, places))
    assert nodes.SUSPECT <= 0.001


def test_shapes_of_another_class_or_place_are_never_one_cluster() -> None:
    def shape(text: str, runs: int) -> dict[str, Any]:
        sample = {"job": text, "line": text, "excerpt": text}
        return {"shape": text, "runs": runs, "first": None, "last": None} | {
            "nodes": [],
            "sample": sample,
        }

    texts = ["A | f:g | no frob left on the shelf", "A | f:g | no frobs left on the shelf"]
    texts += ["B | f:g | no frob left on the shelf", "A | f:g | quite another sentence, this one"]
    found = put_together([shape(text, 9 - place) for place, text in enumerate(texts)])
    assert [[one["shape"] for one in cluster.shapes] for cluster in found] == [
        texts[:2],
        [texts[2]],
        [texts[3]],
    ]


def test_ray_writes_the_same_bytes(logs: Path) -> None:
    pytest.importorskip("ray")
    here = run(logs)
    there = logs.parent / "there"
    answer = subprocess.run(
        [sys.executable, "-m", "fixbook", "triage", str(logs), "--ray", "--out", str(there)],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
        env={**os.environ, "LANG": "C.UTF-8", "PYTHONPATH": str(ROOT)},
    )
    assert answer.returncode == 0, answer.stderr
    assert parts(there) == parts(here)
    assert (there / "report.html").read_bytes() == (here / "report.html").read_bytes()
