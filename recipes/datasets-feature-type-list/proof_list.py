"""Write with the newer datasets, in a process of its own, and read with the installed one."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import datasets
import failure

from fixbook.recipe import measure, snippet


def write(*names: str, own: bool = False) -> None:
    """Write the data with the main environment's datasets, or with the step's own."""
    if own:
        failure.write()
        return
    paths = os.environ.get("PYTHONPATH", "").split(os.pathsep)
    kept = os.pathsep.join(path for path in paths if "overlays" not in path)
    script = [sys.executable, failure.__file__, *names]
    subprocess.run(script, env=os.environ | {"PYTHONPATH": kept}, check=True)


def parquet(lines: str = "", *, strip: bool = False) -> dict[str, Any]:
    """Read the Parquet file as a script does, or by lines of the page."""
    write()
    measure(datasets=datasets.__version__)
    if strip:
        Path("data").mkdir()
        Path("data/part.parquet").hardlink_to("data.parquet")
        snippet("strip")
    sample = dict(snippet(lines)["data"][0]) if lines else failure.read_parquet()
    return {"sample": sample} | asked()


def of_json() -> dict[str, Any]:
    """Read a column of JSON, of a type that came later."""
    write("json")
    measure(datasets=datasets.__version__)
    return {"sample": failure.read_parquet()}


def saved(lines: str = "") -> dict[str, Any]:
    """Read what was saved to the disk, or write it anew by lines of the page."""
    write()
    measure(datasets=datasets.__version__)
    if lines:
        snippet(lines)
    return {"sample": failure.read_saved("saved-plain" if lines else "saved")}


def looked(*, own: bool = False) -> dict[str, Any]:
    """Ask the page's question of a file."""
    write(own=own)
    return asked()


def asked() -> dict[str, Any]:
    """Ask it of the file that lies there."""
    return {"found": snippet("ask")["too_old"]}
