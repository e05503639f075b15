"""action.yml: its steps, executed as a runner executes them, but for the installation."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from fixbook.book_root import BOOK_VARIABLE

ROOT = Path(__file__).parents[1]
ACTION = yaml.safe_load((ROOT / "action.yml").read_text("utf-8"))
STEPS = {step["name"]: step for step in ACTION["runs"]["steps"]}


@pytest.fixture
def runner(tmp_path: Path, good: Any) -> dict[str, str]:
    """Return the variables of a runner whose installation is this environment."""
    (tmp_path / "fixbook/bin").mkdir(parents=True)
    (tmp_path / "fixbook/bin/python").write_text(f'#!/bin/sh\nexec {sys.executable} "$@"\n')
    (tmp_path / "fixbook/bin/python").chmod(0o755)
    return {
        **{name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ},
        BOOK_VARIABLE: str(good.root),
        "PYTHONPATH": str(ROOT),
        "RUNNER_TEMP": str(tmp_path),
        "GITHUB_STEP_SUMMARY": str(tmp_path / "summary"),
        "GITHUB_OUTPUT": str(tmp_path / "output"),
    }


def run(name: str, runner: dict[str, str], **inputs: str) -> subprocess.CompletedProcess[str]:
    """Run a step, with its inputs in place of the expressions."""
    given = {key: one.get("default", "") for key, one in ACTION["inputs"].items()} | inputs
    variables = {}
    for key, text in STEPS[name]["env"].items():
        for value in ("github.action_path", *(f"inputs.{one}" for one in given)):
            filled = str(ROOT) if value.startswith("github") else given[value.partition(".")[2]]
            text = text.replace(f"${{{{ {value} }}}}", filled)  # noqa: PLW2901
        variables[key] = text
    return subprocess.run(
        ["bash", "-eo", "pipefail", "-c", STEPS[name]["run"]],
        env=runner | variables,
        capture_output=True,
        text=True,
        check=False,
    )


def test_no_expression_stands_in_a_script() -> None:
    """An input in a script is code: a name of a file could run a command."""
    for step in STEPS.values():
        assert "${{" not in step["run"]


def test_a_failed_log_is_answered_in_the_summary(runner: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / "a b.log").write_text("widget 7 overflowed\n")
    done = run("Diagnose", runner, logs=f"{tmp_path / 'a b.log'}\n")
    assert done.returncode == 0, done.stderr
    assert "Widget overflow  [widget-overflow]" in (tmp_path / "summary").read_text()
    assert (tmp_path / "output").read_text() == "entry=widget-overflow\n"


def test_a_log_that_was_never_written_is_said_to_be_missing(
    runner: dict[str, str], tmp_path: Path
) -> None:
    done = run("Diagnose", runner, logs="nope.log", lang="zh")
    assert done.returncode == 0
    assert "nope.log" in (tmp_path / "summary").read_text()


def test_findings_stand_beside_their_lines(runner: dict[str, str], tmp_path: Path) -> None:
    path = tmp_path / "train,1.yaml"
    path.write_text("output_dir: x\nfp16: true\nbf16: true\nsave_strategy: bogus\n")
    del runner[BOOK_VARIABLE]  # the rules of the real book
    done = run("Check", runner, configs=str(path), tool="transformers")
    assert done.returncode == 1, done.stdout + done.stderr
    assert "::error file=" in done.stdout
    assert "train%2C1.yaml,line=" in done.stdout
    assert ": error [" in (tmp_path / "summary").read_text()
    assert run("Check", runner, configs="nope.yaml").returncode == 2
