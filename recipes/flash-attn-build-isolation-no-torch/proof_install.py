"""Install the package in one way or another, and see which torch it was built with."""

from __future__ import annotations

import importlib.metadata
import os
import shutil
import sys
from pathlib import Path
from typing import Any

from failure import package, run
from proof_wheels import setuptools_wheel, wheel

from fixbook.recipe import measure, run_snippet

PIP = "python -m pip install flash-attn"
UV = "python -m uv pip install --no-index --find-links links flash-attn"


def install(
    command: str = PIP, *, ready: bool = False, declared: bool = False, first: str = ""
) -> dict[str, Any]:
    """Install the package into a folder, and say which torch its build saw."""
    setuptools_wheel()
    if declared:
        wheel("torch", "2.14.0", "__version__ = '2.14.0'")
    package(declared=declared)
    if ready:
        shutil.copy(wheel("flash_attn", "2.8.3", "BUILT_WITH = 'elsewhere'"), ".")
    if first:
        said = run(f"python -m pip install {first}").splitlines()
        measure(pip=next(line for line in said if first in line).partition(" in ")[0])
    run(f"{command.strip()} --target installed")
    built_with = Path("installed/flash_attn.py").read_text("utf-8").split("'")[1]
    installed = importlib.metadata.version("torch")
    return {"built_with": built_with, "installed": installed, "same": built_with == installed}


def asked(options: str) -> dict[str, Any]:
    """Ask the interpreter that the page asks."""
    Path("python").write_text(f'#!/bin/sh\nexec {sys.executable} {options} "$@"\n', "utf-8")
    Path("python").chmod(0o755)
    path = f"{Path.cwd()}:{os.environ['PATH']}"
    return {"found": run_snippet("ask", env={"PATH": path}).returncode == 0}
