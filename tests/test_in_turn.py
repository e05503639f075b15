"""The runner of the suite's parts: each runs, the worst status ends it, failures stand last."""

from __future__ import annotations

import subprocess
from pathlib import Path

_RUNNER = Path(__file__).parents[1] / "scripts" / "in-turn"


def _run(*commands: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(_RUNNER), *commands], capture_output=True, text=True, check=False, timeout=60
    )


def test_what_failed_stands_at_the_end_although_more_was_run() -> None:
    ran = _run("echo FAILED tests/one.py::test_it - why; exit 3", "echo passed", "exit 1")
    assert ran.returncode == 3
    lines = ran.stdout.splitlines()
    assert lines.count("FAILED tests/one.py::test_it - why") == 2
    assert lines[-4:] == [
        "[1 of 3] ended with 3",
        "FAILED tests/one.py::test_it - why",
        "[2 of 3] ended with 0",
        "[3 of 3] ended with 1",
    ]


def test_nothing_is_repeated_where_nothing_failed() -> None:
    ran = _run("echo once")
    assert (ran.returncode, ran.stdout.count("ended with")) == (0, 1)
