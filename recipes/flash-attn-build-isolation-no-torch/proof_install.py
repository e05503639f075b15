"""Install the package in one way or another, and see which torch it was built with."""

from __future__ import annotations

import importlib.metadata
import os
import sys
from pathlib import Path
from typing import Any

from failure import package, run
from proof_wheels import setuptools_wheel, wheel

from fixbook.recipe import measure, run_snippet


def install(
    *options: str,
    tool: str = "pip",
    ready: bool = False,
    declared: bool = False,
    first: str = "",
    **variables: str,
) -> dict[str, Any]:
    """Install the package into a folder, and say which torch its build saw."""
    setuptools_wheel()
    if declared:
        wheel("torch", "2.14.0", "__version__ = '2.14.0'")
    source = package(declared=declared)
    if ready:
        source = wheel("kernels", "1.0", "BUILT_WITH = 'elsewhere'")
    if first:
        measure(pip=run("pip", first).partition(" in ")[0])
    if variables:
        measure(version=importlib.metadata.version("pip"))
    target = ["--no-deps", "--find-links", "links", "--target", "installed", source]
    run(tool, *options, *target, variables=variables)
    built_with = Path("installed/kernels.py").read_text("utf-8").split("'")[1]
    installed = importlib.metadata.version("torch")
    return {"built_with": built_with, "installed": installed, "same": built_with == installed}


def asked(options: str) -> dict[str, Any]:
    """Ask the interpreter that the page asks."""
    Path("python").write_text(f'#!/bin/sh\nexec {sys.executable} {options} "$@"\n', "utf-8")
    Path("python").chmod(0o755)
    path = f"{Path.cwd()}:{os.environ['PATH']}"
    return {"found": run_snippet("ask", env={"PATH": path}).returncode == 0}
