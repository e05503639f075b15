"""What `fixbook watch` says of the end of a run, and what only it can know."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import sys
import tarfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from fixbook.watch.ending import Ending, as_log
from fixbook.watch.tree import Process
from tests.watched import own_words, run, watched

if TYPE_CHECKING:
    from collections.abc import Iterator

PY = sys.executable
ROOT = Path(__file__).parents[1]
# Waits until the watcher has looked, and knows this process.
SEEN = """\
import glob, os, pathlib, signal, subprocess, sys, time
def above(pid):
    while pid > 1:
        yield pid
        pid = int(pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
def known(pid):
    for up in above(os.getppid()):
        for path in glob.glob(f"/proc/{up}/fdinfo/*"):
            try:
                if f"Pid:\\t{pid}\\n" in pathlib.Path(path).read_text(): return True
            except OSError: pass
def until_known(pid=os.getpid()):
    while not known(pid): time.sleep(0.05)
"""
GROUPS = Path("/sys/fs/cgroup/memory")


def seen_of(folder: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((folder / "watch.json").read_text("utf-8"))
    return found


def signal_of(process: dict[str, Any]) -> int:
    return os.WTERMSIG(process["status"]) if os.WIFSIGNALED(process["status"]) else 0


def test_an_error_is_answered_below_the_own_output(tmp_path: Path) -> None:
    script = "raise RuntimeError('CUDA error: device-side assert triggered')"
    plain = run([PY, "-c", script])
    done = run(watched(tmp_path / "run", [PY, "-c", script]))
    assert own_words(done) == plain.stderr
    said = done.stderr.removeprefix(plain.stderr).decode()
    assert said.startswith("fixbook watch: ended with exit code 1")
    answered = run([PY, "-m", "fixbook", "diagnose", str(tmp_path / "run")])
    assert said.partition("\n\n")[2].rstrip() == answered.stdout.decode().rstrip()
    assert "[device-side-assert]" in said


def test_what_ends_well_says_nothing(tmp_path: Path) -> None:
    done = run(watched(tmp_path / "run", ["sh", "-c", "echo Signal 9 '(SIGKILL)'"]))
    assert (done.returncode, done.stderr) == (0, b"")
    assert not (tmp_path / "run/seen.log").exists()


def test_a_rank_that_was_killed_is_known_though_its_launcher_took_its_end(tmp_path: Path) -> None:
    worker = tmp_path / "worker.py"
    worker.write_text(
        f"{SEEN}\nuntil_known()\n"
        "if os.environ['RANK'] == '1': os.kill(os.getpid(), signal.SIGKILL)\n"
        "time.sleep(1000)\n"
    )
    launch = ("-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "2")
    pytest.importorskip("torch")
    done = run(watched(tmp_path / "run", [PY, *launch, str(worker)], "--every", "0.1"))
    assert done.returncode == 1
    seen = seen_of(tmp_path / "run")
    ranks = {one["rank"]: signal_of(one) for one in seen["processes"] if one["rank"] is not None}
    assert ranks[1] == signal.SIGKILL
    assert "(rank 1): Signal 9 (SIGKILL)" in done.stderr.decode()
    assert "killed-from-outside" in done.stderr.decode()


def test_orphans_are_found_and_named(tmp_path: Path) -> None:
    script = (
        f"{SEEN}\n"
        "child = subprocess.Popen([sys.executable, '-c', "
        "\"import subprocess as s; print(s.Popen(['sleep', '1000'], stderr=-3).pid, flush=True)\""
        "], stdout=subprocess.PIPE)\n"
        "orphan = int(child.stdout.readline())\n"
        "child.wait()\n"
        "until_known(orphan)\n"
        "print(orphan, flush=True)\n"
        "sys.exit(3)\n"
    )
    done = run(watched(tmp_path / "run", [PY, "-c", script], "--every", "0.1"))
    orphan = int(done.stdout)
    with contextlib.suppress(ProcessLookupError):
        os.kill(orphan, signal.SIGKILL)
    assert done.returncode == 3
    assert f"these processes of it go on: {orphan}" in done.stderr.decode()


@pytest.fixture
def small_group() -> Iterator[Path]:
    """A control group with little memory, where the kernel kills."""
    group = GROUPS / f"fixbook-test-{os.getpid()}"
    try:
        group.mkdir()
        (group / "memory.limit_in_bytes").write_text("100M")
    except OSError:
        pytest.skip("no memory control group (v1) can be made here")
    yield group
    group.rmdir()


def test_a_kill_by_the_kernel_is_told_from_one_by_somebody(
    tmp_path: Path, small_group: Path
) -> None:
    procs = str(small_group / "cgroup.procs")
    eats = (
        f"{SEEN}\npathlib.Path({procs!r}).write_text(str(os.getpid()))\n"
        "print(open('/proc/self/cgroup').read(), flush=True)\n"
        "until_known()\nfor at in range(9): time.sleep(0.1)\n"
        "held = []\nwhile True: held.append(bytearray(10_000_000))\n"
    )
    told = run(watched(tmp_path / "run", [PY, "-c", eats], "--every", "0.1")).stderr.decode()
    kills = f"{SEEN}\nuntil_known()\nos.kill(os.getpid(), signal.SIGKILL)"
    other = run(watched(tmp_path / "other", [PY, "-c", kills], "--every", "0.1")).stderr.decode()
    assert "[elastic-sigkill-host-oom]" in told.partition("\n\n")[2].partition("\n")[0]
    assert "the kernel killed for memory: oom_kill grew by 1" in told
    assert "the kernel killed nothing for memory" in other
    assert "[killed-from-outside]" in other.partition("\n\n")[2].partition("\n")[0]


def ending(status: int, *, here: int | None, machine: int | None) -> Ending:
    process = Process(7, 1, "python train.py", 1, "python", status=status, gone=True)
    return Ending(status, (process,), (), here, machine, 100, 2000, 2000)


def test_a_counter_alone_decides_nothing() -> None:
    assert not ending(256, here=3, machine=3).for_memory
    assert not ending(signal.SIGKILL, here=0, machine=0).for_memory
    assert not ending(signal.SIGKILL, here=0, machine=1).for_memory  # a neighbour's
    assert not ending(signal.SIGKILL, here=None, machine=None).for_memory
    assert ending(signal.SIGKILL, here=1, machine=1).for_memory
    assert ending(signal.SIGKILL, here=None, machine=1).for_memory
    assert len(as_log(ending(signal.SIGKILL, here=0, machine=1))) == 1


def test_values_are_judged_while_it_runs(tmp_path: Path) -> None:
    row = "{'loss': '0', 'grad_norm': 'nan', 'learning_rate': '1e-4', 'epoch': '0.1'}"
    script = f"for at in range(4): print({row!r})"
    done = run(watched(tmp_path / "run", [PY, "-c", script]))
    assert done.returncode == 0
    assert done.stderr.count(b"grad_norm is not finite in 3 rows running") == 1
    assert b"fixbook show nan-loss-fp16" in done.stderr
    assert len(seen_of(tmp_path / "run")["values"]) == 1


def test_what_only_a_whole_run_shows_is_said_at_its_end(tmp_path: Path) -> None:
    row = "{'loss': '2.1', 'grad_norm': '1.0', 'learning_rate': '0', 'epoch': '0.1'}"
    script = f"for at in range(4): print({row!r})"
    done = run(watched(tmp_path / "run", [PY, "-c", script]))
    assert done.stderr.count(b"the learning rate is 0 in all 4 rows") == 1
    assert len(seen_of(tmp_path / "run")["values"]) == 1


def test_output_that_is_not_read_in_time_is_counted(tmp_path: Path) -> None:
    done = run(watched(tmp_path / "run", ["head", "-c", "9000000", "/dev/zero"], "--every", "600"))
    seen = seen_of(tmp_path / "run")
    assert len(done.stdout) == seen["printed"] == 9_000_000
    assert seen["not_read"] >= 9_000_000 - 2 * 1024 * 1024


def test_the_report_is_one_archive_without_secrets(tmp_path: Path) -> None:
    token = "hf_" + "AbCdEfGhIjKlMnOpQrStUvWxYz12345678"
    folder = tmp_path / "run"
    run(watched(folder, ["sh", "-c", f"echo token {token}; exit 3"]))
    there: dict[str, Any] = {"cwd": tmp_path, "env": {**os.environ, "PYTHONPATH": str(ROOT)}}
    done = run([PY, "-m", "fixbook", "watch", "--report", "--folder", str(folder)], **there)
    assert done.returncode == 0, done.stderr
    with tarfile.open(tmp_path / "fixbook-watch-run.tar.gz") as archive:
        texts = {
            Path(one.name).name: file.read().decode()
            for one in archive
            if (file := archive.extractfile(one))
        }
    assert {"watch.json", "machine.json", "stdout.log", "seen.log"} <= texts.keys()
    assert token in (folder / "stdout.log").read_text()
    assert not [name for name, text in texts.items() if token in text]
    again = run([PY, "-m", "fixbook", "watch", "--report", "--folder", str(folder)], **there)
    assert again.returncode == 2
