"""What `fixbook watch` sees beside output: GPUs, recorders, packages, where a rank writes."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from fixbook.recipe.helpers.nccl import build
from fixbook.watch import gpus
from fixbook.watch.hooked import Hook, variables
from fixbook.watch.inside import Inside
from fixbook.watch.rank_files import RankFiles
from fixbook.watch.relay import _Copy
from fixbook.watch.shared import Tally
from fixbook.watch.streams import Channel
from fixbook.watch.tree import Tree
from tests.waiting import text_of
from tests.watched import run, watched

if TYPE_CHECKING:
    from collections.abc import Callable

PY = sys.executable
ROOT = Path(__file__).parents[1]
OPTIONS = ("--every", "0.2", "--stall-after", "0.5", "--stall-factor", "0")
# Beside the stand-in that the book has: what only this asks for.
MORE_NVML = r"""
#include "%s"
typedef struct { unsigned pid; unsigned long long bytes; unsigned a, b; } used;
typedef struct { void *device; unsigned long long kind, data; unsigned a, b; } event;
int nvmlDeviceGetComputeRunningProcesses_v3(void *d, unsigned *count, used *into) {
  *count = 2; into[0] = (used){(unsigned)number("FIXBOOK_PID", 1), 300ull << 20, 0, 0};
  into[1] = (used){1, 900ull << 20, 0, 0}; return OK;
}
static unsigned long long asked = 0, told = 0;
int nvmlDeviceGetTotalEccErrors(void *d, int kind, int counter, unsigned long long *count) {
  *count = 5 + asked++; return OK;
}
int nvmlEventSetCreate(void **set) { *set = &asked; return OK; }
int nvmlDeviceRegisterEvents(void *d, unsigned long long kinds, void *set) { return OK; }
int nvmlEventSetWait_v2(void *set, event *into, unsigned ms) {
  if (told++) return 10;
  *into = (event){(void *)1, 8, 79, 0, 0}; return OK;
}
"""


def seen_of(folder: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((folder / "watch.json").read_text("utf-8"))
    return found


def test_memory_errors_and_events_of_gpus(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source, library = tmp_path / "nvml.c", tmp_path / gpus.LIBRARY
    source.write_text(MORE_NVML % (build.HERE / "nvml.c"))
    made = subprocess.run(["cc", "-shared", "-fPIC", "-o", str(library), str(source)], check=False)
    if made.returncode:
        pytest.skip("no compiler")
    monkeypatch.setattr(gpus, "LIBRARY", str(library))
    monkeypatch.setenv("FIXBOOK_PID", "4242")
    seen = gpus.Gpus()
    assert seen.begin()
    seen.look(frozenset({4242}))
    assert seen.plain() == {
        "memory": [{"pid": 4242, "gpu": 0, "mib": 300}],
        "ecc": {"0": 1},
        "xids": [{"gpu": 0, "xid": 79}],
    }
    beside = gpus.Beside(600)
    beside.pids = frozenset({4242})
    beside.begin()
    assert beside.end(60) is not None
    assert beside.seen.used == {(4242, 0): 300}


def test_without_the_library_no_gpu_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gpus, "LIBRARY", "libno-such-library.so.1")
    beside = gpus.Beside(600)
    beside.begin()
    assert beside.end() is None
    assert not gpus.Gpus().begin()


def test_packages_are_those_of_the_run(tmp_path: Path) -> None:
    site = tmp_path / "lib/site-packages"
    for name in ("torch-2.13.0+cpu", "nvidia_nccl_cu13-2.29.7", "something-1.0"):
        (site / f"{name}.dist-info").mkdir(parents=True)
    inside = Inside()
    inside._sites.add(str(site))
    assert inside.versions() == {"nvidia-nccl-cu13": "2.29.7", "torch": "2.13.0+cpu"}
    for _look in range(2):
        inside.look([os.getpid(), 2**30])
    assert "pydantic" in inside.versions()  # this process has mapped its core


def test_packages_of_a_process_that_is_slow_to_begin(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    site = tmp_path / "lib/site-packages"
    (site / "torch-2.13.0.dist-info").mkdir(parents=True)
    maps = tmp_path / "4242/maps"
    maps.parent.mkdir()
    monkeypatch.setattr("fixbook.watch.inside._PROCESSES", str(tmp_path))
    inside = Inside()
    for text in ("/usr/bin/python3", "/usr/bin/python3", f"7f00 r-xp 0 {site}/torch/a.so"):
        maps.write_text(f"{text}\n")
        inside.look([4242])
    assert inside.versions() == {"torch": "2.13.0"}


def test_packages_of_a_process_that_was_too_short_to_be_seen(tmp_path: Path) -> None:
    site = tmp_path / "lib/site-packages"
    (site / "torch-2.13.0.dist-info").mkdir(parents=True)
    (tmp_path / "stderr.log").write_text(
        f"looked in {tmp_path}/other/site-packages/torch\n"
        f'[rank0]:   File "{site}/torch/a.py", line 3\n'
    )
    (tmp_path / "other/site-packages/peft-0.21.2.dist-info").mkdir(parents=True)
    inside = Inside()
    inside.read([tmp_path / "stderr.log", tmp_path / "none.log"])
    assert inside.versions() == {"torch": "2.13.0"}


def test_a_rank_is_found_by_where_it_writes(tmp_path: Path) -> None:
    out, tree, files = tmp_path / "out", Tree(set()), RankFiles()
    words, env = ["sh", "-c", "echo said; read _"], {**os.environ, "RANK": "5"}

    def found() -> bool:
        tree.look({})
        files.look(tree.seen.values())
        return out in files.found and out.read_text() == "said\n"

    with (
        out.open("wb") as file,
        subprocess.Popen(words, stdin=subprocess.PIPE, stdout=file, env=env) as process,
    ):
        until(found)
        process.communicate(b"\n")
    assert str(out) in files.keep(tmp_path, [], 0)
    assert (tmp_path / "rank-5.stdout.log").read_text() == "said\n"


def until(holds: Callable[[], bool]) -> None:
    for _second in range(3000):
        try:
            if holds():
                return
        except (OSError, ValueError):
            pass
        threading.Event().wait(0.1)
    raise AssertionError


def test_the_hook_tells_stacks_without_tracing(tmp_path: Path) -> None:
    told = tmp_path / "told"
    (tmp_path / "sitecustomize.py").write_text("MINE = 7\n")
    script = (
        "import pathlib, sitecustomize, sys, time\n"
        "def waits():\n"
        f"    pathlib.Path({str(told)!r}).write_text('ready')\n"
        "    time.sleep(10_000)\n"
        "waits()\n"
    )
    set_for = variables(tmp_path)
    env = {**os.environ, **set_for, "PYTHONPATH": f"{set_for['PYTHONPATH']}:{tmp_path}"}
    process = subprocess.Popen([PY, "-c", script], env=env)
    try:
        text_of(told)
        hook = Hook(tmp_path / "stacks")
        for _look in range(2):
            stack = hook.stack(process.pid)
            assert stack
            assert [frame.function for frame in stack] == ["waits", "<module>"]
        assert hook.stack(os.getpid()) is None  # which has no handler, and must live on
        assert process.poll() is None
    finally:
        process.send_signal(signal.SIGKILL)
        process.wait()


def test_of_two_ranks_the_recorders_decide(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    worker = tmp_path / "worker.py"
    worker.write_text(
        "import os, torch, torch.distributed as d\n"
        "d.init_process_group('gloo')\n"
        "d.all_reduce(torch.ones(1))\n"
        "print('begun', flush=True)\n"
        "d.barrier() if os.environ['RANK'] == '1' else d.all_reduce(torch.ones(1))\n"
        "d.all_reduce(torch.ones(1))\n"
    )
    launch = ("-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "2")
    options = ("--every", "0.5", "--stall-after", "3", "--stall-factor", "0")
    more = (*options, "--hook", "--on-stall", "terminate")
    done = run(watched(tmp_path / "run", [PY, *launch, str(worker)], *more))
    said = done.stderr.decode()
    assert "of two, stacks cannot decide" in said
    assert "flight recorder: the ranks differ at collective 2: rank 0: gloo:all_reduce" in said
    assert "[collective-mismatch]" in said
    assert not list((tmp_path / "run/stacks").glob("*.ask"))


def test_silence_alone_ends_nothing(tmp_path: Path) -> None:
    go = tmp_path / "go"
    os.mkfifo(go)
    line = f"echo begun; read line < {go}; exit 0"  # it waits, and computes nothing meanwhile
    words = watched(tmp_path / "run", ["bash", "-c", line], *OPTIONS, "--on-stall", "terminate")
    process = subprocess.Popen(words, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL)
    until(lambda: bool(seen_of(tmp_path / "run").get("stall")))
    go.write_text("go\n", "utf-8")
    said = process.communicate(timeout=300)[1].decode()
    assert process.returncode == 0
    assert "it is not ended: silence alone is no evidence" in said


def test_lines_that_come_one_upon_the_other_are_copied_together(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    slept: list[float] = []
    monkeypatch.setattr("fixbook.watch.relay.time.sleep", slept.append)
    pipe, terminal = (Channel("stdout", 0, 1, 2, (1,), terminal=one) for one in (False, True))

    def waits(channel: Channel, sizes: list[int]) -> list[bool]:
        copy = _Copy([channel], {}, Tally(), -1, -1, -1)
        said = []
        for size in sizes:
            slept.clear()
            copy._much |= size >= 2**16
            copy._gather({channel.source})
            said.append(bool(slept))
        return said

    assert waits(pipe, [9, 9, 9]) == [False, True, True]
    assert waits(pipe, [9, 2**20, 9]) == [False, False, True]
    assert waits(terminal, [9, 9, 9]) == [False] * 3


def test_who_has_given_up_the_hook_is_not_killed_by_a_question_on_its_way(tmp_path: Path) -> None:
    """A Python that ends takes its handlers away, and a busy machine lets time pass before."""
    asks = (
        "import faulthandler, os, signal\n"
        "number = signal.SIGRTMIN + 6\n"
        "assert faulthandler.unregister(number)\n"
        "os.kill(os.getpid(), number)\n"
        "print('lives')\n"
    )
    env = {**os.environ, **variables(tmp_path)}
    ended = subprocess.run([PY, "-c", asks], env=env, capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stdout) == (0, "lives\n"), ended.stderr
