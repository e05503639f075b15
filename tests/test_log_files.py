"""Which files of a folder are logs and of which rank, and how each is cut into whole lines."""

from __future__ import annotations

import gzip
import io
import sys
from types import SimpleNamespace
from typing import TYPE_CHECKING

import pytest
import zstandard

from fixbook.log.normalise import OVERLAP
from fixbook.log.reading import CHUNK, Source, chunks_of, rank_in, sources_of, whole_lines
from fixbook.problem import BookError

if TYPE_CHECKING:
    from pathlib import Path

TEXT = b"first\nsecond\n" * 100


def read(path: Path) -> tuple[bytes, list[str]]:
    notes: list[str] = []
    return b"".join(chunks_of(Source(path.name, path), notes)), notes


@pytest.mark.parametrize(
    ("path", "rank"),
    [
        ("logs/attempt_0/3/stderr.log", 3),
        ("attempt_1/12/stdout.log", 12),
        ("attempt_1/12/other.log", None),
        ("train.rank7.log", 7),
        ("global_rank-2.txt", 2),
        ("node0/rank_5/out.log", 5),
        ("node0/Rank_5/out.log", 5),
        ("lora-rank2/train.log", None),
        ("slurm-815_4.out", 4),
        ("slurm-815.out", None),
        ("frank3.log", None),
    ],
)
def test_the_rank_that_a_path_names(path: str, rank: int | None) -> None:
    assert rank_in(path) == rank


def test_a_folder_is_read_by_rank(tmp_path: Path) -> None:
    names = ["rank10.log", "rank2.log", "rank0.log", "all.log", "deep/rank1.log"]
    for name in [*names, "config.json", ".hidden.log", "model.SAFETENSORS"]:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("x", "utf-8")
    found = sources_of([str(tmp_path), "-"])
    assert [(one.name.removeprefix(f"{tmp_path}/"), one.rank) for one in found] == [
        ("rank0.log", 0),
        ("deep/rank1.log", 1),
        ("rank2.log", 2),
        ("rank10.log", 10),
        ("all.log", None),
        ("<stdin>", None),
    ]
    assert found[-1].path is None


def test_of_a_watched_run_its_output_is_read_with_its_rank_and_not_what_was_said_of_it(
    tmp_path: Path,
) -> None:
    for task, record in (("0", '{"rank": 0}'), ("1", '{"rank": 1}'), ("2", "[]"), ("3", "{")):
        (tmp_path / f"task-{task}").mkdir()
        (tmp_path / f"task-{task}/watch.json").write_text(record)
        (tmp_path / f"task-{task}/stall.txt").write_text("silent for 300 s\n")
        (tmp_path / f"task-{task}/stderr.log").write_text("x\n")
    found = {one.path: one.rank for one in sources_of([str(tmp_path)])}
    ranks = {"0": 0, "1": 1, "2": None, "3": None}
    assert found == {tmp_path / f"task-{task}/stderr.log": rank for task, rank in ranks.items()}


def test_a_file_that_is_named_is_a_log_whatever_its_name(tmp_path: Path) -> None:
    path = tmp_path / "rank3.json"
    path.write_text("x", "utf-8")
    assert sources_of([str(path)]) == [Source(str(path), path, 3)]


@pytest.mark.parametrize(
    ("name", "said"), [("none", "does not exist"), ("x" * 5000, "does not exist"), ("", "holds no")]
)
def test_what_is_no_log_is_said(tmp_path: Path, name: str, said: str) -> None:
    with pytest.raises(BookError, match=said):
        sources_of([str(tmp_path / name)])


def test_compressed_logs_read_as_plain_ones(tmp_path: Path) -> None:
    zstd = zstandard.ZstdCompressor().compress
    written = {
        "plain": TEXT,
        "gzip": gzip.compress(TEXT),
        "zstd": zstd(TEXT),
        "frames": zstd(TEXT[:600]) + zstd(TEXT[600:]),
    }
    for name, data in written.items():
        (tmp_path / name).write_bytes(data)
        assert read(tmp_path / name) == (TEXT, []), name


def test_a_log_that_breaks_off_is_read_as_far_as_it_goes(tmp_path: Path) -> None:
    lines = b"".join(b"line %d\n" % number for number in range(400_000))
    path = tmp_path / "running.gz"
    path.write_bytes(gzip.compress(lines)[:-5000])
    text, (note,) = read(path)
    assert lines.startswith(text)
    assert len(text) > CHUNK
    assert note.startswith("running.gz breaks off: ")


def test_what_cannot_be_read_at_all_is_said(tmp_path: Path) -> None:
    for name, data in {
        "bad.gz": b"\x1f\x8bno",
        "bad.zst": b"\x28\xb5\x2f\xfd" + b"\xff" * 40,
    }.items():
        (tmp_path / name).write_bytes(data)
        with pytest.raises(BookError, match=rf"{name}.*cannot be read"):
            read(tmp_path / name)


def test_standard_input_may_be_a_pipe_or_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    pipe = SimpleNamespace(buffer=io.BufferedReader(io.BytesIO(gzip.compress(TEXT))))
    monkeypatch.setattr(sys, "stdin", pipe)
    assert b"".join(chunks_of(Source("<stdin>", None), [])) == TEXT
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(BookError, match="standard input is closed"):
        list(chunks_of(Source("<stdin>", None), []))


@pytest.mark.parametrize("size", [1, 3, 7, 1000])
def test_parts_of_any_size_become_whole_lines(size: int) -> None:
    parts = (TEXT[start : start + size] for start in range(0, len(TEXT), size))
    chunks = list(whole_lines(parts))
    assert b"".join(chunks) == TEXT
    assert all(chunk.endswith(b"\n") for chunk in chunks)


def test_an_endless_line_is_cut_with_an_overlap() -> None:
    line = bytes(range(32, 127)) * (3 * CHUNK // 95)
    first, second = whole_lines(iter([line[:CHUNK], line[CHUNK : 2 * CHUNK], line[2 * CHUNK :]]))
    assert len(first) > 2 * CHUNK
    assert second == first[-OVERLAP:]
    assert first == line


def test_the_last_line_needs_no_line_feed() -> None:
    assert list(whole_lines(iter([b"a\nb"]))) == [b"a\n", b"b"]
    assert list(whole_lines(iter([]))) == []
