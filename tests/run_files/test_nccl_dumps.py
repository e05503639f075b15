"""Dumps that NCCL's own recorder left, read as those of gloo are, and as torch's analyser does."""

from __future__ import annotations

import json
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest
from click.testing import CliRunner

from fixbook.cli import cli
from fixbook.run_files.run import run_in
from fixbook.text import in_language

MADE = Path(__file__).with_name("nccl-dumps.tar.gz")
MISSING, CALL, SIZE = "watched-rank-missing", "other-call", "other-size"
FOUND = {
    MISSING: (
        "rank 1 never called collective 4, nccl:all_reduce, which the others wait for at "
        "/home/you/train.py:76 (rank_of); it was last seen at /home/you/train.py:64 (rank_of)"
    ),
    CALL: (
        "the ranks differ at collective 4: rank 0: nccl:all_reduce [[4]] /home/you/train.py:76 "
        "(rank_of); rank 1: nccl:all_gather [[4]] /home/you/train.py:72 (rank_of)"
    ),
    SIZE: (
        "the ranks differ at collective 4: rank 0: nccl:all_reduce [[4]] /home/you/train.py:76 "
        "(rank_of); rank 1: nccl:all_reduce [[5]] /home/you/train.py:74 (rank_of)"
    ),
}
ANALYSED = {
    MISSING: "missing ranks: {1}",
    CALL: "Culprit rank 1; Error type: COLLECTIVE_TYPE_MISMATCH",
    SIZE: "Culprit rank 1; Error type: SIZE_OR_SYNTAX_MISMATCH",
}


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("nccl")
    with tarfile.open(MADE) as archive:
        archive.extractall(folder, filter="data")
    return folder


@pytest.mark.parametrize(("name", "says"), FOUND.items())
def test_what_they_show(runs: Path, name: str, says: str) -> None:
    notes: list[str] = []
    run = run_in(runs / name, notes, lambda _size: None)
    assert run
    assert notes == []
    (found,) = run.findings
    assert in_language(found.says, "en") == says


@pytest.mark.parametrize(("name", "says"), ANALYSED.items())
def test_the_analyser_of_torch_says_the_same(runs: Path, name: str, says: str) -> None:
    analyser = "torch.distributed.flight_recorder.fr_trace"
    done = subprocess.run(
        [sys.executable, "-m", analyser, str(runs / name), "--prefix", "nccl_trace_rank_"],
        capture_output=True,
        text=True,
        check=True,
    )
    said = done.stdout + done.stderr
    assert says in said
    assert "sequence number: 4" in said


def test_the_folder_of_the_watched_job_names_the_rank_that_was_absent(runs: Path) -> None:
    """Its log has the watchdog of the others alone, and what was seen is that they crashed."""
    result = CliRunner().invoke(
        cli, ["diagnose", str(runs / MISSING), "--json"], standalone_mode=False
    )
    row = json.loads(result.stdout)
    assert (row["kind"], row["answer"]["symptom"]) == ("symptom", "collective-timeout")
    assert (row["answer"]["rank"], row["answer"]["text"]) == (1, FOUND[MISSING])
    later = [one["symptom"] for one in row["runner_ups"]]
    assert "process-crashed" in later
