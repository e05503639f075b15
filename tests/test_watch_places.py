"""Places in a stack that an entry knows: the book is the table, and only hangs count."""

from __future__ import annotations

import json
import signal
import sys
from typing import TYPE_CHECKING

import pytest

from fixbook.cli import watch_places as places
from fixbook.run_files.groups import Frame, hang_of
from fixbook.watch.stacks import tool
from tests.watched import run, watched

if TYPE_CHECKING:
    from pathlib import Path

    from fixbook.run_files.groups import Stack

PY = sys.executable
LOCK = "extension-build-lock-hangs"
OPTIONS = ("--every", "0.2", "--stall-after", "0.5", "--stall-factor", "0")
# As DeepSpeed and others load what they compile; the lock is of a build that has been killed.
LOADS = """\
import os, pathlib, sys
from torch.utils.cpp_extension import _get_build_directory, load
pathlib.Path(_get_build_directory("some_op", verbose=False), "lock").touch()
pathlib.Path("op.cpp").write_text("int one() { return 1; }")
print("begun", flush=True)
load(name="some_op", sources=["op.cpp"])
"""


def site(file: str, function: str) -> Frame:
    return Frame(f"/opt/lib/python3.11/site-packages/{file}", 50, function)


@pytest.mark.parametrize(
    ("stack", "owner"),
    [
        ((site("torch/utils/file_baton.py", "wait"), site("torch/x.py", "load")), LOCK),
        ((site("torch/utils/file_baton.py", "FileBaton.wait"),), LOCK),  # as py-spy has it
        (
            (
                site("urllib3/util/retry.py", "sleep"),
                site("trl/generation/vllm_client.py", "check_server"),
            ),
            "trl-vllm-server-unreachable",
        ),
        # Its signature asks for a timeout, too: rank 0 may be at work for long, or hang itself.
        ((site("torch/c10d.py", "barrier"), site("accelerate/state.py", "_goes_first")), None),
        # A place of failures of another kind, which every worker of vLLM passes.
        ((site("vllm/v1/worker/gpu_worker.py", "execute_model"),), None),
        ((site("torch/utils/file_baton.py", "release"),), None),
        ((Frame("train.py", 3, "wait"),), None),
    ],
)
def test_the_entry_of_a_place(stack: Stack, owner: str | None) -> None:
    (group,) = hang_of({0: stack}, ranked=True).groups
    found = places.known_at(group, places.book())
    assert (found[0] if found else None) == owner


def test_only_entries_of_hangs_count_and_signatures_that_need_nothing_more() -> None:
    rows = places.book()
    assert {one["owner"] for one in rows["matchers"]} <= rows["titles"].keys()
    assert LOCK in rows["titles"]
    assert not any(one["context"] or one["differ"] for one in rows["matchers"])


@pytest.mark.skipif(tool() is None, reason="neither py-spy nor pystack is installed")
def test_one_that_waits_for_a_lock_is_told_which_entry_that_is(tmp_path: Path) -> None:
    import torch  # noqa: F401, PLC0415  (into the page cache, or its start counts as silence)

    kept, script = tmp_path / "run", tmp_path / "loads.py"
    script.write_text(LOADS)
    command = ["env", f"TORCH_EXTENSIONS_DIR={tmp_path}/extensions", "RANK=1", PY, str(script)]
    options = (*OPTIONS, "--on-stall", "terminate")
    done = run(watched(kept, command, *options), cwd=tmp_path)
    assert done.returncode == -signal.SIGTERM
    said = done.stderr.decode()
    assert "rank 1: this place is known: A killed extension build leaves a lock" in said
    assert "nothing to compare it with" not in said
    assert f"[{LOCK}]" in said.rpartition("fixbook watch: ended")[2]
    answered = run([PY, "-m", "fixbook", "diagnose", str(kept), "--json"])
    assert json.loads(answered.stdout)["answer"]["slug"] == LOCK


def test_a_place_that_the_run_has_left_is_no_evidence(tmp_path: Path) -> None:
    """It waited, went on and failed of something else: that is the answer."""
    worker = tmp_path / "torch/utils/file_baton.py"
    worker.parent.mkdir(parents=True)
    worker.write_text(
        "import os, sys, time\n"
        "def wait():\n    while not os.path.exists('go'): time.sleep(0.1)\n"
        "print('begun', flush=True)\nwait()\nprint('goes on', flush=True)\nsys.exit('my own end')\n"
    )
    options = (*OPTIONS, "--on-stall", "touch go")
    done = run(watched(tmp_path / "run", [PY, str(worker)], *options), cwd=tmp_path)
    assert done.returncode == 1
    after = done.stderr.decode().rpartition("fixbook watch: ended")[2]
    if tool():
        assert "this place is known" in done.stderr.decode()
    assert "This is: " not in after
    assert not (tmp_path / "run/seen.log").is_file() or "stood still" not in (
        tmp_path / "run/seen.log"
    ).read_text("utf-8")
