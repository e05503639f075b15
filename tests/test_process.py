"""Steps that misbehave are ended, and nothing of them is left."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import psutil
import pytest

from fixbook.recipe.process.command import run
from fixbook.recipe.process.outcome import Limits, Outcome
from fixbook.recipe.process.watch import disk_use
from tests.waiting import LONG_S, has_ended, set_once_written

if TYPE_CHECKING:
    from pathlib import Path
    from threading import Event

LIMITS = Limits(timeout_s=LONG_S, memory_gib=2)


def python(code: str, folder: Path, limits: Limits = LIMITS, stop: Event | None = None) -> Outcome:
    return run(
        [sys.executable, "-c", code], env=dict(os.environ), cwd=folder, limits=limits, stop=stop
    )


def test_exit_code_and_output(tmp_path: Path) -> None:
    seen = python("print('hello'); raise SystemExit(3)", tmp_path)
    assert (seen.exit_code, seen.signal, seen.stopped, seen.log) == (3, None, None, "hello\n")


def test_death_by_signal(tmp_path: Path) -> None:
    seen = python("import os; print('here', flush=True); os.kill(os.getpid(), 11)", tmp_path)
    assert (seen.exit_code, seen.signal) == (None, "SIGSEGV")
    assert seen.log == "here\n"
    assert seen.failed


def test_hang_is_ended(tmp_path: Path) -> None:
    seen = python("import time; time.sleep(600)", tmp_path, Limits(timeout_s=0.5, memory_gib=2))
    assert seen.stopped == "timeout"
    assert seen.signal is None, "the limit ended it, not a signal of its own"


def test_memory_limit(tmp_path: Path) -> None:
    code = "a = bytearray(400 << 20)\nfor i in range(0, len(a), 4096): a[i] = 1\nwhile True: pass"
    seen = python(code, tmp_path, Limits(timeout_s=LONG_S, memory_gib=0.2))
    assert seen.stopped == "memory"
    assert seen.peak_mib > 200


def test_endless_output_is_bounded(tmp_path: Path) -> None:
    code = "import sys\nprint('FIRST')\nwhile True: sys.stdout.write('x' * 65536 + '\\n')"
    seen = python(code, tmp_path, Limits(timeout_s=LONG_S, memory_gib=2, output_mib=20))
    assert seen.stopped == "output"
    assert seen.log.startswith("FIRST")
    assert "bytes left out" in seen.log
    assert len(seen.log) < 3 * 1024**2


def test_full_disk_is_prevented(tmp_path: Path) -> None:
    code = "f = open('big', 'wb')\nwhile True: f.write(b'x' * (1 << 20)); f.flush()"
    seen = python(code, tmp_path, Limits(timeout_s=LONG_S, memory_gib=2, disk_gib=0.05))
    assert seen.failed
    assert (tmp_path / "big").stat().st_size <= 0.06 * 1024**3


def test_many_small_files_are_prevented(tmp_path: Path) -> None:
    code = "i = 0\nwhile True:\n i += 1; open(f'f{i}', 'wb').write(b'x' * (1 << 20))"
    seen = python(code, tmp_path, Limits(timeout_s=LONG_S, memory_gib=2, disk_gib=0.05))
    assert seen.stopped == "disk"


def test_children_and_daemons_are_ended(tmp_path: Path) -> None:
    """A daemon that left the session and the process group is found by its mark."""
    code = (
        "import os, subprocess, sys, time\n"
        "if os.fork() == 0:\n"
        "    os.setsid()\n"
        "    if os.fork() == 0:\n"
        "        open('daemon', 'w').write(str(os.getpid())); time.sleep(600)\n"
        "    os._exit(0)\n"
        "while not os.path.exists('daemon') or not open('daemon').read(): time.sleep(0.01)\n"
    )
    seen = python(code, tmp_path)
    assert seen.exit_code == 0
    assert has_ended(int((tmp_path / "daemon").read_text()))


def test_fork_bomb_is_ended(tmp_path: Path) -> None:
    code = (
        "import os, time\n"
        "for _ in range(40):\n"
        "    if os.fork() == 0: time.sleep(600)\n"
        "time.sleep(600)"
    )
    limits = Limits(timeout_s=LONG_S, memory_gib=8, processes=20)
    seen = python(code, tmp_path, limits)
    assert seen.stopped == "processes"
    assert not [
        p.pid for p in psutil.process_iter() if _works_in(p, tmp_path) and not has_ended(p.pid)
    ]


def _works_in(process: psutil.Process, folder: Path) -> bool:
    try:
        return process.cwd() == str(folder)
    except psutil.Error:
        return False


def test_stop_event_ends_the_run(tmp_path: Path) -> None:
    stop = set_once_written(tmp_path / "runs")
    code = "import time; open('runs', 'w').write('.'); time.sleep(600)"
    seen = python(code, tmp_path, stop=stop)
    assert seen.stopped == "interrupted"


@pytest.mark.parametrize("data", [b"\\xff\\xfe", b"\\x00"])
def test_output_that_is_not_text(tmp_path: Path, data: bytes) -> None:
    seen = python(f"import sys; sys.stdout.buffer.write(b'{data.decode()}')", tmp_path)
    assert seen.exit_code == 0


def test_folders_that_vanish_while_the_disk_is_looked_at(tmp_path: Path) -> None:
    churn = (
        "import os, shutil, time\n"
        "end = time.time() + 3\n"
        "while time.time() < end:\n"
        "    for n in range(50): os.makedirs(f'{n}/a/b', exist_ok=True)\n"
        "    for n in range(50): shutil.rmtree(str(n))\n"
    )
    process = subprocess.Popen([sys.executable, "-c", churn], cwd=tmp_path)
    while process.poll() is None:
        assert disk_use(tmp_path) >= 0
    assert process.returncode == 0
