"""What the page asks of an environment, and an environment whose NumPy is replaced in use."""

from __future__ import annotations

import importlib
import sys
from importlib.metadata import version
from pathlib import Path
from typing import Any

from failure import draw, use

from fixbook.recipe import measure, snippet
from fixbook.recipe.helpers import run_python


def run(*packages: str) -> dict[str, Any]:
    """Say which NumPy it is, and use packages with it."""
    measure(numpy=version("numpy"))
    return use(*packages)


def ask() -> dict[str, Any]:
    """Ask the page which packages were compiled for NumPy 1."""
    old = sorted(snippet("which")["old"])
    return {"found": bool(old), "old": old}


def parquet() -> dict[str, Any]:
    """Import pandas, then write a file that needs pyarrow."""
    pandas = importlib.import_module("pandas")
    table = pandas.DataFrame({"a": [1, 2]})
    try:
        table.to_parquet("a.parquet", engine="pyarrow")
    except ImportError as error:
        return {"found": True, "said": str(error).splitlines()[0]}
    return {"found": False, "said": ""}


def install(folder: Path) -> None:
    """Put NumPy of a folder where pip would put it, in place of the one that is there."""
    site = Path("site").absolute()
    site.mkdir(exist_ok=True)
    for name in ("numpy", "numpy.libs"):
        (site / name).unlink(missing_ok=True)
        (site / name).symlink_to(folder / name)


def notebook(*, times: int = 1, restart: bool = False) -> dict[str, Any]:
    """Import NumPy 2, install NumPy 1 over it, and use NumPy in the same process or in another."""
    older, *_, newer = [Path(one) for one in sys.path if Path(one, "numpy", "version.py").is_file()]
    install(newer)
    sys.path.insert(0, str(Path("site").absolute()))
    measure(loaded=importlib.import_module("numpy").__version__, installations=times)
    for _time in range(times):
        install(older)
    if not restart:
        return draw()
    said = run_python(
        "import numpy; print(numpy.__version__, numpy.random.default_rng(0).integers(1, 2))",
        env={"PYTHONPATH": str(Path("site").absolute())},
    )
    if said.returncode:
        sys.exit(said.returncode)
    release, drawn = said.stdout.split()
    return {"now": release, "drawn": int(drawn)}
