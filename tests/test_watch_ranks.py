"""`fixbook watch` keeps and reads the files that launchers give to ranks."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

import pytest

from fixbook.watch.rank_files import RankFiles
from tests.watched import run, watched

if TYPE_CHECKING:
    from pathlib import Path

PY = sys.executable
TORCHRUN = ("torch.distributed.run", "--standalone", "--nproc-per-node", "2", "--redirects", "3")
ACCELERATE = (
    *("accelerate.commands.launch", "--multi_gpu", "--num_processes", "2", "--num_machines", "1"),
    *("--main_process_port", "0", "--mixed_precision", "no", "--dynamo_backend", "no"),
    *("--tee", "3"),
)


@pytest.mark.parametrize(("launcher", "flag"), [(TORCHRUN, "--log-dir"), (ACCELERATE, "--log_dir")])
def test_files_of_ranks_are_found_kept_and_read(
    tmp_path: Path, launcher: tuple[str, ...], flag: str
) -> None:
    worker = tmp_path / "worker.py"
    worker.write_text(
        "import os\n"
        "if os.environ['RANK'] == '1': "
        "raise RuntimeError('CUDA error: device-side assert triggered')\n"
    )
    pytest.importorskip("torch")
    pytest.importorskip(launcher[0].partition(".")[0])
    launch = ("-m", *launcher, flag, str(tmp_path / "logs"))
    done = run(watched(tmp_path / "run", [PY, *launch, str(worker)]))
    said = done.stderr.decode()
    assert done.returncode == 1
    assert (tmp_path / "run/rank-1.stderr.log").read_text().endswith("assert triggered\n")
    answer = said.partition("fixbook watch: ended")[2].partition("\n\n")[2]
    assert "[device-side-assert]" in answer.partition("\n")[0]
    seen = json.loads((tmp_path / "run/watch.json").read_text("utf-8"))
    assert len(seen["rank_files"]) == 4


def test_files_of_ranks_that_were_too_short_to_be_seen(tmp_path: Path) -> None:
    files = RankFiles()
    folder = tmp_path / "logs/none_a1/attempt_0"
    for local in range(2):
        (folder / str(local)).mkdir(parents=True)
        (folder / f"{local}/stderr.log").write_text(f"local {local}\n")
    files.found[(folder / "0/stderr.log").resolve()] = 4, "stderr"  # the second node of two
    (tmp_path / "each").mkdir()
    (tmp_path / "each/20261129220000_rank7.log").write_text("rank 7\n")
    command = ["deepspeed", f"--enable_each_rank_log={tmp_path / 'each'}", "--log_dir"]
    assert len(files.keep(tmp_path, [*command, str(tmp_path / "logs")], 0)) == 3
    kept = {path.name: path.read_text() for path in tmp_path.glob("rank-*.log")}
    assert kept == {
        "rank-4.stderr.log": "local 0\n",
        "rank-5.stderr.log": "local 1\n",
        "rank-7.stdout.log": "rank 7\n",
    }
