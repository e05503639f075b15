"""What vLLM says of commands with a mistake, in a process beside the environment."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from fixbook.recipe.reading import read_outline
from fixbook.recipe.running import overlay

_ROOT = Path(__file__).parents[1]
_RECIPE = _ROOT / "recipes/vllm-quantized-weight-not-aligned/recipe.py"


def _releases() -> tuple[str, ...]:
    """Return vLLM and what it needs, as the steps of a recipe bring them."""
    steps = read_outline(_RECIPE).steps.values()
    return next(step.needs.versions for step in steps if step.needs.versions)


def ask_vllm(texts: dict[str, str]) -> dict[str, list[str]]:
    """Return what vLLM says of each command, by its name; `bench.seeded_servers` asks it."""
    env = {"VLLM_TARGET_DEVICE": "cpu", "VLLM_NO_USAGE_STATS": "1"}
    return asked_beside("seeded_servers.py", _releases(), texts, env)


def asked_beside(
    program: str, releases: tuple[str, ...], texts: dict[str, str], env: dict[str, str]
) -> dict[str, list[str]]:
    """Give commands to a program of this folder, which runs beside some packages."""
    done = subprocess.run(
        [sys.executable, str(Path(__file__).with_name(program))],
        input=json.dumps(texts),
        env={
            **os.environ,
            "PYTHONPATH": os.pathsep.join([str(overlay(releases)), str(_ROOT)]),
            **env,
        },
        capture_output=True,
        text=True,
        check=True,
    )
    found: dict[str, list[str]] = json.loads(done.stdout)
    return found
