"""Where reading stacks is forbidden, as under Yama: what is said, and done."""

from __future__ import annotations

import ctypes
import signal
import sys
from typing import TYPE_CHECKING

import pytest

from fixbook.watch import permission
from fixbook.watch.stacks import tool
from tests.watched import run

if TYPE_CHECKING:
    from pathlib import Path

OPTIONS = ("--every", "0.2", "--stall-after", "0.5", "--stall-factor", "0")
SLEEPS = "import time\ndef stuck(): time.sleep({})\nprint('begun', flush=True); stuck()"
# A tool that may look only into what it has started itself: in a domain of Landlock of its own.
CONFINED = """#!{python}
import ctypes, os, sys
libc = ctypes.CDLL(None)
rules = (ctypes.c_uint64 * 1)(1 << 9)  # it may not make sockets in folders, and nothing else
made = libc.syscall(444, rules, 8, 0)
assert made >= 0 and libc.prctl(38, 1, 0, 0, 0) == 0 and libc.syscall(446, made, 0) == 0
os.execv({tool!r}, [{tool!r}, *sys.argv[1:]])
"""
WATCHING = """
import sys
from fixbook.cli import watch_eyes
from fixbook.watch.stacks import Tool
confined = Tool("py-spy", sys.argv.pop(1))
watch_eyes.tool = lambda: confined
from fixbook.__main__ import main
main()
"""
_LANDLOCK = ctypes.CDLL(None).syscall(444, None, 0, 1)
confined = pytest.mark.skipif(
    _LANDLOCK < 1 or getattr(tool(), "name", "") != "py-spy",
    reason="there is no Landlock here, or no py-spy",
)


def _watch(tmp_path: Path, seconds: int, *options: str) -> tuple[int, str]:
    """Watch a process that stands still; return how that ended, and what was said."""
    found, path = tool(), tmp_path / "py-spy"
    assert found
    path.write_text(CONFINED.format(python=sys.executable, tool=found.path))
    path.chmod(0o755)
    given = ["watch", "--folder", str(tmp_path / "run"), *OPTIONS, *options]
    begin = [sys.executable, "-c", WATCHING, str(path)]
    done = run(
        [
            *begin,
            *given,
            "--on-stall",
            "terminate",
            "--",
            sys.executable,
            "-c",
            SLEEPS.format(seconds),
        ]
    )
    return done.returncode, done.stderr.decode()


@confined
def test_a_hang_whose_stacks_are_forbidden_is_told_and_not_ended(tmp_path: Path) -> None:
    code, said = _watch(tmp_path, 12)
    assert code == 0
    assert said.count("reading stacks is not permitted here: --hook needs no permission") == 2
    assert "whether it hangs cannot be decided: its stacks cannot be read here" in said
    assert "pip install py-spy" not in said
    assert "it is not ended: silence alone is no evidence of a hang" in said


@confined
def test_the_hook_reads_them_all_the_same(tmp_path: Path) -> None:
    code, said = _watch(tmp_path, 10_000, "--hook")
    assert code == -signal.SIGTERM
    assert "stuck (<string>:2)" in said


@pytest.mark.parametrize(
    ("scope", "capabilities", "filtered", "told"),
    [
        ("1", "0", "0", "kernel.yama.ptrace_scope=1"),
        ("2", "0", "2", "kernel.yama.ptrace_scope=2"),
        ("1", "80000", "0", ""),
        ("3", "80000", "0", "kernel.yama.ptrace_scope=3"),
        ("0", "0", "2", "seccomp"),
        (None, "0", "0", ""),
    ],
)
def test_what_forbids_it_is_named(
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    scope: str | None,
    capabilities: str,
    filtered: str,
    told: str,
) -> None:
    """CAP_SYS_PTRACE passes Yama, but for its strictest setting."""
    yama, own = tmp_path / "ptrace_scope", tmp_path / "status"
    if scope is not None:
        yama.write_text(f"{scope}\n")
    own.write_text(f"Name:\tpython\nCapEff:\t{capabilities:>016}\nSeccomp:\t{filtered}\n")
    monkeypatch.setattr(permission, "_YAMA", yama)
    monkeypatch.setattr(permission, "_SELF", own)
    assert permission.forbidding() == told
