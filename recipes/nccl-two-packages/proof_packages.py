"""What is done in the environment, what pip says of it, and whether the library loads."""

from __future__ import annotations

import ast
import os
import subprocess
from pathlib import Path
from typing import Any

from failure import (
    ALONE,
    ENV,
    NEW,
    OLD,
    PIP,
    PLACE,
    distribution,
    environment,
    load,
    pip,
    python,
    site,
)

from fixbook.recipe import measure, run_snippet, snippet_text

ORDERS = {"other order": (OLD, NEW), "alone": (NEW,)}


def attempt(change: str = "") -> dict[str, Any]:
    """Install both, change what is asked for, measure, and load."""
    environment(*ORDERS.get(change, (NEW, OLD)))
    measure(clean="No broken requirements" in pip("check"))
    path = ""
    if change.startswith("uninstalled"):
        pip("uninstall", "--yes", "nvidia-nccl-cu12")
    if change.endswith("installed again"):
        measure(satisfied="already satisfied" in pip("install", NEW))
    if change == "path":
        path = str(distribution(NEW).locate_file(PLACE))
    if change == "page":
        programs = f"{Path(ENV, 'bin').resolve()}{os.pathsep}{os.environ['PATH']}"
        run_snippet("reinstall", env={"PATH": programs, **PIP}).check_returncode()
    owners = look()
    measure(owners=len(owners), file=Path(site(), PLACE, "libnccl.so.2").is_file(), path=bool(path))
    measure(found=owners != {"nvidia-nccl-cu13": True})
    print(pip("list", "--format", "freeze"), flush=True)
    code = load(LD_LIBRARY_PATH=path)
    if code:
        raise SystemExit(code)
    return {"loads": True}


def look() -> dict[str, bool]:
    """Run the page's code with the Python of the environment; return what it prints."""
    command = [python(), "-c", snippet_text("owners")]
    answer = subprocess.run(
        command, env=os.environ | ALONE, capture_output=True, text=True, check=True
    )
    owners: dict[str, bool] = ast.literal_eval(answer.stdout)
    return owners
