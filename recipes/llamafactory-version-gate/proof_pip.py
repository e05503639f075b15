"""An environment whose packages are empty wheels, with the requirements of the real ones."""

from __future__ import annotations

import importlib.metadata
import os
import sys
import venv
import zipfile
from pathlib import Path
from typing import Any

from fixbook.recipe import measure, run_snippet, snippet_text
from fixbook.recipe.helpers import program

LINKS = Path("links")
CHECKED = ("transformers", "datasets", "accelerate", "peft", "trl")
IN_PLACE = {"transformers": "5.23.0", "datasets": "5.2.0", "accelerate": "1.15.0"} | {
    "peft": "0.21.2", "trl": "0.24.0", "llamafactory": "0.9.5",
}  # fmt: skip
OFFERED = {"transformers": "5.6.0", "datasets": "4.0.0", "accelerate": "1.11.0", "peft": "0.18.1"}


def wheel(name: str, release: str) -> Path:
    """Write an empty wheel; LLaMA-Factory's requires what the installed one does."""
    path, info = LINKS / f"{name}-{release}-py3-none-any.whl", f"{name}-{release}.dist-info"
    needs = importlib.metadata.requires(name) or [] if name == "llamafactory" else []
    needs = [f"Requires-Dist: {need}\n" for need in needs if need.startswith(CHECKED)]
    texts = {
        f"{info}/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: {release}\n"
        + "".join(needs),
        f"{info}/WHEEL": "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    texts[f"{info}/RECORD"] = "".join(f"{file},,\n" for file in [*texts, f"{info}/RECORD"])
    with zipfile.ZipFile(path, "w") as archive:
        for file, text in texts.items():
            archive.writestr(file, text)
    return path


def environment() -> dict[str, str]:
    """Make it, with releases that LLaMA-Factory refuses; return the variables to use it with."""
    LINKS.mkdir()
    venv.create("env", symlinks=True)
    packages = next(Path("env").glob("lib/*/site-packages"))
    for name, release in IN_PLACE.items():
        zipfile.ZipFile(wheel(name, release)).extractall(packages)
    for name, release in OFFERED.items():
        wheel(name, release)
    python = Path("env/bin/python").absolute()
    folder = program("pip", f'#!/bin/sh\nexec {sys.executable} -m pip --python {python} "$@"\n')
    return {
        "PATH": f"{folder}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": "",
        "PIP_NO_INDEX": "1",
        "PIP_FIND_LINKS": str(LINKS.absolute()),
        "PIP_DISABLE_PIP_VERSION_CHECK": "1",
    }


def installed() -> dict[str, str]:
    """Return the releases in that environment."""
    packages = next(Path("env").glob("lib/*/site-packages"))
    found = importlib.metadata.distributions(path=[str(packages)])
    return {one.metadata["Name"]: one.version for one in found}


def install(name: str = "") -> dict[str, Any]:
    """Run one of the page's commands, then its check."""
    variables = environment()
    if name:
        measure(command=snippet_text(name).strip())
        run_snippet(name, env=variables)
    lines = run_snippet("check", env=variables).stdout.splitlines()
    return {"found": bool(lines), "named": len(lines)} | installed()
