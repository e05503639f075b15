"""DeepSpeed installed with its CPU Adam compiled, or not, and used where nothing compiles."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from proof_machine import machine

from fixbook.recipe import measure, run_snippet
from fixbook.recipe.helpers import run_python

TRAIN = "import json; from proof_runs import run; print(json.dumps(run()))"
PLAIN = ["install", "--no-deps", "deepspeed==0.19.8"]


def prebuilt(*, cached: bool) -> Any:
    """Install with a compiler, then train without one; ``cached``: as advised, not as printed."""
    machine(compiler=True)
    site = Path("site").absolute()
    os.environ |= {"PIP_CACHE_DIR": str(Path("cache").absolute())}
    if cached:
        pip("--no-build-isolation", "--target", "first")  # what was there before
        said = pip("--target", str(site), DS_BUILD_CPU_ADAM="1")
        measure(cached="Using cached deepspeed" in said)
    else:
        run_snippet("prebuild", env={"PIP_TARGET": str(site)})
    path = os.pathsep.join([str(site), *filter(None, sys.path)])
    done = run_python(TRAIN, env={"PYTHONPATH": path}, timeout_s=300)
    if done.returncode:
        raise SystemExit(done.returncode)
    return json.loads(done.stdout.splitlines()[-1])


def pip(*options: str, **variables: str) -> str:
    """Install it, and return what pip says."""
    command = [sys.executable, "-m", "pip", *PLAIN, *options]
    env = os.environ | variables
    return subprocess.run(command, env=env, capture_output=True, text=True, check=True).stdout
