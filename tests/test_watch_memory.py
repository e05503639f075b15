"""The memory of a watched run: a finding only where it rises to its limit."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from fixbook.run_files.memory import judge_memory
from tests.watched import run

PY = sys.executable
HEALTHY = json.loads((Path(__file__).parent / "run_files/memory_of_healthy_runs.json").read_text())


@pytest.mark.parametrize("name", HEALTHY)
def test_the_memory_of_healthy_runs_is_no_finding(name: str) -> None:
    limit = max(mib for _, mib in HEALTHY[name]) * 1.2
    assert judge_memory(HEALTHY[name], limit) == []


def test_memory_that_rises_to_its_limit_is_found() -> None:
    leak = [(float(at), 400.0 + at * 2) for at in range(200)]
    (found,) = judge_memory(leak, 1000)
    assert found.rule == "memory-grows"
    assert judge_memory(leak, 100_000) == []  # the limit is far
    assert judge_memory(leak, None) == []
    assert judge_memory(leak[:20], 500) == []
    stays = [(float(at), min(400.0 + at * 20, 900)) for at in range(200)]
    assert judge_memory(stays, 910) == []
    waves = [(float(at), 400.0 + at % 40 * 10) for at in range(200)]
    assert judge_memory(waves, 800) == []


def test_a_run_whose_memory_grows_is_told(tmp_path: Path) -> None:
    (tmp_path / "run").mkdir()
    samples = [[at, 400 + at * 2] for at in range(200)]
    seen = {"memory": {"limit_mib": 1000, "samples": samples}}
    (tmp_path / "run/watch.json").write_text(json.dumps(seen))
    (tmp_path / "run/stdout.log").write_text("{'loss': 1.0}\n")
    done = run([PY, "-m", "fixbook", "diagnose", str(tmp_path / "run")])
    assert b"memory rose from" in done.stdout
    spoilt: list[Any] = [{"samples": 3}, {"samples": [[1]]}, {"samples": [["a", 1]]}, []]
    for wrong in spoilt:
        (tmp_path / "run/watch.json").write_text(json.dumps({"memory": wrong}))
        done = run([PY, "-m", "fixbook", "diagnose", str(tmp_path / "run")])
        assert b"memory rose" not in done.stdout
        assert b"Traceback" not in done.stderr
