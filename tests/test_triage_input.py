"""Logs are found wherever they lie, and put together by job; what cannot be read costs itself."""

from __future__ import annotations

import gzip
import io
import json
import os
import tarfile
import zipfile
from typing import TYPE_CHECKING

import pytest

from fixbook.problem import BookError
from fixbook.triage.files import BROKEN, LINK, NESTED, SPECIAL, TORN, Root, files_of, roots_of
from fixbook.triage.layout import Place, pattern_of, place_of
from fixbook.triage.listing import Partition, listing
from fixbook.triage.scheduler import Meta, jobs_in, nodes_in

if TYPE_CHECKING:
    from pathlib import Path

HEX = "0123456789abcdef" * 4


@pytest.mark.parametrize(
    ("name", "place"),
    [
        ("runs/a1/attempt_1/3/stderr.log", Place("runs/a1", 1, 3)),
        ("runs/a1/attempt_0/0/stdout.log.gz", Place("runs/a1", 0, 0)),
        ("out/slurm-1234.out", Place("out/slurm-1234", number="1234")),
        ("out/pretrain-7b-1234.err", Place("out/pretrain-7b-1234", number="1234")),
        ("out/pretrain-1234-node017.out", Place("out/pretrain-1234", 0, None, "node017", "1234")),
        ("out/slurm-1234-5.out", Place("out/slurm-1234", 0, 5, "", "1234")),
        ("out/slurm-1234_7.out", Place("out/slurm-1234_7", number="1234_7")),
        ("job/rank_2/log.txt", Place("job", rank=2)),
        ("job/train.rank3.log", Place("job/train", rank=3)),
        ("job/train.log", Place("job/train.log")),
        ("p/ml_llm-worker-3_0a1b2c3d-0000-1111/pytorch/2.log", Place("p/ml/llm", 2, 3)),
        (f"c/llm-0-x7k2p_ml_main-{HEX}.log", Place("c/ml/llm", rank=0)),
    ],
)
def test_a_layout_tells_the_job(name: str, place: Place) -> None:
    assert place_of(name) == place


def test_a_pattern_tells_the_job_where_no_layout_does() -> None:
    pattern = pattern_of(r"(?P<job>exp\d+)/(?P<node>\w+)-r(?P<rank>\d+)\.(?P<attempt>\d)")
    assert place_of("x/exp7/n3-r12.1.txt", pattern) == Place("exp7", 1, 12, "n3")
    assert place_of("x/other.txt", pattern) == Place("x/other.txt")


@pytest.mark.parametrize(
    ("pattern", "said"), [("(", "no regular expression"), (r"\d+", "names no group 'job'")]
)
def test_a_wrong_pattern_is_said_so(pattern: str, said: str) -> None:
    with pytest.raises(BookError, match=said):
        pattern_of(pattern)


def found(path: Path) -> dict[str, str]:
    return {one.name: one.refused for one in files_of(Root(path, path.name))}


def test_links_out_of_the_root_are_refused_and_those_inside_read_once(tmp_path: Path) -> None:
    (tmp_path / "secret.log").write_text("x\n")
    root = tmp_path / "logs"
    (root / "sub").mkdir(parents=True)
    (root / "a.log").write_text("a\n")
    (root / "sub/again.log").symlink_to(root / "a.log")
    (root / "out.log").symlink_to(tmp_path / "secret.log")
    (root / "folder").symlink_to(tmp_path)
    (root / "gone.log").symlink_to(root / "nothing")
    os.mkfifo(root / "pipe.log")
    assert found(root) == {
        "logs/a.log": "",
        "logs/out.log": LINK,
        "logs/folder": LINK,
        "logs/gone.log": BROKEN,
        "logs/pipe.log": SPECIAL,
    }


def packed(files: dict[str, bytes]) -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as archive:
        for name, content in files.items():
            one = tarfile.TarInfo(name)
            one.size = len(content)
            archive.addfile(one, io.BytesIO(content))
    return out.getvalue()


def test_archives_are_listed_up_to_where_they_break_off(tmp_path: Path) -> None:
    noise = os.urandom(40_000)
    tar = packed({"job/rank0.log": noise, "job/rank1.log": noise, "in.tar": b""})
    (tmp_path / "whole.tar").write_bytes(tar)
    (tmp_path / "torn.tar.gz").write_bytes(gzip.compress(tar)[:60_000])
    (tmp_path / "no.zip").write_bytes(b"PK\x03\x04 and then nothing")
    with zipfile.ZipFile(tmp_path / "some.zip", "w") as archive:
        archive.writestr("../up.log", "x\n")
    names = found(tmp_path)
    top = tmp_path.name
    assert names[f"{top}/whole.tar/job/rank1.log"] == ""
    assert names[f"{top}/whole.tar/in.tar"] == NESTED
    assert names[f"{top}/torn.tar.gz/job/rank0.log"] == ""
    assert names[f"{top}/torn.tar.gz"] == TORN
    assert names[f"{top}/no.zip"] == TORN
    assert names[f"{top}/some.zip/../up.log"] == ""  # a name; nothing is written


def test_globs_are_spelt_out_and_what_is_missing_is_said(tmp_path: Path) -> None:
    for name in ("a.out", "b.out", "c.txt"):
        (tmp_path / name).write_text("x\n")
    assert [root.label for root in roots_of([f"{tmp_path}/*.out"])] == ["a.out", "b.out"]
    for name in (f"{tmp_path}/*.none", f"{tmp_path}/none"):
        with pytest.raises(BookError, match="none"):
            roots_of([name])


def partitions(tmp_path: Path, logs: Path, depends: str = "") -> list[Partition]:
    with listing(tmp_path) as listed:
        listed.add([str(logs)], None)
        return list(listed.partitions(depends))


def test_a_partition_has_another_name_when_anything_changes(tmp_path: Path) -> None:
    logs = tmp_path / "logs"
    logs.mkdir()
    (logs / os.fsdecode(b"caf\xe9-rank1.log")).write_text("x\n")  # a name that is no UTF-8
    (logs / os.fsdecode(b"caf\xe9-rank0.log")).write_text("x\n")
    (one,) = partitions(tmp_path, logs)
    assert [[log.rank for log in job.logs] for job in one.jobs] == [[0, 1]]
    assert partitions(tmp_path, logs)[0].name == one.name
    assert partitions(tmp_path, logs, "another book")[0].name != one.name
    (logs / "more.log").write_text("x\n")
    assert partitions(tmp_path, logs)[0].name != one.name


SACCT = {
    "jobs": [
        {
            "job_id": 1234,
            "state": {"current": ["FAILED"]},
            "nodes": "gpu[01-02]",
            "time": {"start": 1_760_000_000, "end": 1_760_003_600},
            "tres": {"allocated": [{"type": "gres", "name": "gpu", "count": 16}]},
            "restart_cnt": 1,
        },
        {"job_id": 9, "array": {"job_id": 7, "task_id": {"set": True, "number": 3}}},
        {"job_id": "none"},
    ]
}


def test_sacct_tells_state_nodes_and_times(tmp_path: Path) -> None:
    path = tmp_path / "sacct.json"
    path.write_text(json.dumps(SACCT))
    told = dict(jobs_in(path))
    times = (1_760_000_000, 1_760_003_600)
    assert told == {"1234": Meta("FAILED", ("gpu01", "gpu02"), 16, *times, 1), "7_3": Meta()}
    assert nodes_in("a[1,3-4],b,c[x-y]") == ("a1", "a3", "a4", "b")


@pytest.mark.parametrize(("text", "said"), [("{", "is no JSON"), ("[]", "no list 'jobs'")])
def test_what_is_no_sacct_is_said_so(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "sacct.json"
    path.write_text(text)
    with pytest.raises(BookError, match=said):
        list(jobs_in(path))
