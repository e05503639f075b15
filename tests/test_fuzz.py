"""Made-up input is drawn, run and judged; what judges it sees what is wrong."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.fuzz.cases import Case
from tests.fuzz.forked import Ended
from tests.fuzz.intended import unintended
from tests.fuzz.judge import MOST_GROWN, MOST_S, snapshot, wrong

_WRONG = b"base_model: a\nadapter: lora\nflash_attn_fuse_mlp: true\nseed: 1\n"
_ARGV = (b"check", b"--fix", b"--", b"c.yaml")
CASE = Case("check --fix", "fixbook", _ARGV, files={b"c.yaml": _WRONG}, fixes=True)
FINE = Ended(1, b"c.yaml:2:1: error\n", b"", 0.1, 0)


def test_some_cases_of_every_group(tmp_path: Path) -> None:
    ran = subprocess.run(
        [sys.executable, "-m", "tests.fuzz", "--seed", "3", "--cases", "40", "--kept", tmp_path],
        capture_output=True, text=True, check=False, cwd=Path(__file__).parents[1],
    )  # fmt: skip
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert "seed 3: 3" in ran.stdout
    assert "check --fix" in ran.stdout


def test_a_run_as_it_should_be() -> None:
    assert wrong(CASE, FINE, {}, {}) == []


@pytest.mark.parametrize(
    ("ended", "says"),
    [
        (Ended(70, b"", b"fixbook failed: KeyError: 'x'", 0.1, 0), "traceback"),
        (Ended(1, b"", b"Traceback (most recent call last):\n  ...", 0.1, 0), "traceback"),
        (Ended(-9, b"", b"", 0.1, 0), "exit code -9"),
        (Ended(2, b"", b"", 0.1, 0), "without a message"),
        (Ended(1, b"", b"", MOST_S + 1, 0), "took"),
        (Ended(1, b"", b"", 0.1, MOST_GROWN + 1), "MiB"),
        (Ended(1, b"a\x1b[2J", b"", 0.1, 0), "drives a terminal"),
        (Ended(1, b"\xff", b"", 0.1, 0), "no UTF-8"),
    ],
)
def test_what_is_wrong_is_seen(ended: Ended, says: str) -> None:
    assert says in "; ".join(wrong(CASE, ended, {}, {}))


def test_files_that_should_stay(tmp_path: Path) -> None:
    (tmp_path / "c.yaml").write_bytes(CASE.files[b"c.yaml"])
    (tmp_path / "other").write_text("x", "utf-8")
    before = snapshot(tmp_path)
    (tmp_path / "other").write_text("y", "utf-8")
    (tmp_path / ".c.yaml.tmp").write_text("", "utf-8")
    (tmp_path / "c.yaml").chmod(0o600)
    said = "; ".join(wrong(CASE, FINE, before, snapshot(tmp_path)))
    for what in ("changes b'other'", "makes b'.c.yaml.tmp'", "changes b'c.yaml'"):
        assert what in said


@pytest.mark.parametrize(
    ("after", "says"),
    [
        (b"base_model: a\nadapter: lora\nseed: 1\n", ""),
        (b"base_model: a\nadapter: lora\nseed: 2\n", "['seed'] changed"),
        (b"base_model: a\nadapter: lora\n", "['seed'] changed"),
        (b"base_model: a\nadapter: [\n", "cannot be read"),
    ],
)
def test_only_what_a_fix_names_may_change(after: bytes, says: str) -> None:
    files = {"c.yaml": CASE.files[b"c.yaml"]}
    said = unintended(files, "axolotl", "c.yaml", after)
    assert (says in said) if says else said == ""
