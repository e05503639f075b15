"""What watching does with a run that hangs: real processes, told of, ended, or acted upon."""

from __future__ import annotations

import signal
import sys
from typing import TYPE_CHECKING

import pytest

from fixbook.watch.stacks import tool
from tests.watched import run, watched

if TYPE_CHECKING:
    from pathlib import Path

PY = sys.executable
OPTIONS = ("--every", "0.2", "--stall-after", "0.5", "--stall-factor", "0")


def test_a_hung_process_is_told_and_ended_only_where_asked(tmp_path: Path) -> None:
    command = [PY, "-c", "import time; print('begun', flush=True)\ntime.sleep(10_000)"]
    options = (*OPTIONS, "--on-stall", "terminate")
    done = run(watched(tmp_path / "run", command, *options))
    assert done.returncode == -signal.SIGTERM
    said = done.stderr.decode()
    assert "silent for" in said
    if tool():
        assert "only one process can be read" in said
    else:
        assert "its stacks cannot be read here" in said
    assert (tmp_path / "run/stall.txt").is_file()


def test_a_command_of_the_reader_is_started(tmp_path: Path) -> None:
    told, go = tmp_path / "told", tmp_path / "go"
    command = ["sh", "-c", f"echo begun; until [ -e {go} ]; do sleep 0.2; done; echo goes on"]
    act = f"echo $FIXBOOK_FOLDER $FIXBOOK_PROCESS > {told}; touch {go}"
    done = run(watched(tmp_path / "run", command, *OPTIONS, "--on-stall", act))
    assert done.returncode == 0
    assert done.stdout == b"begun\ngoes on\n"
    folder, process = told.read_text().split()
    assert folder == str(tmp_path / "run")
    assert int(process) > 1


@pytest.mark.skipif(tool() is None, reason="neither py-spy nor pystack is installed")
def test_the_odd_rank_of_four_is_named(tmp_path: Path) -> None:
    worker = tmp_path / "worker.py"
    worker.write_text(
        "import os, time\n"
        "def load_shard(): time.sleep(10_000)\n"
        "def wait_for_the_others(): time.sleep(10_000)\n"
        "print('begun', flush=True)\n"
        "(load_shard if os.environ['RANK'] == '2' else wait_for_the_others)()\n"
    )
    launch = 'for r in 0 1 2 3; do RANK=$r "$@" & done; wait'
    command = ["sh", "-c", launch, "sh", PY, str(worker)]
    done = run(
        watched(tmp_path / "run", command, *OPTIONS, "--on-stall", "pkill -P $FIXBOOK_PROCESS")
    )
    said = done.stderr.decode()
    assert "elsewhere than the others: rank 2. Look there first." in said
    assert "load_shard" in said
