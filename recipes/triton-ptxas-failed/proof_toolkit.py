"""CUDA toolkits as a machine may have them, and variables that a shell of the page has set."""

from __future__ import annotations

import importlib.util
import os
import re
import subprocess
from pathlib import Path

from fixbook.recipe import snippet_text

VARIABLES = ("TRITON_PTXAS_PATH", "TRITON_PTXAS_BLACKWELL_PATH")
# Which of the two assemblers in Triton's wheel is that of which CUDA.
_IN_THE_WHEEL = {"12.8": "ptxas", "13.1": "ptxas-blackwell"}


def toolkit(release: str) -> Path:
    """Return the folder of a CUDA toolkit that has only its assembler, from Triton's wheel."""
    spec = importlib.util.find_spec("triton")
    wheel = Path(str(spec and spec.origin)).parent / "backends/nvidia/bin"
    folder = Path(f"cuda-{release}").absolute()
    (folder / "bin").mkdir(parents=True)
    (folder / "bin/ptxas").symlink_to(wheel / _IN_THE_WHEEL[release])
    return folder


def from_pip() -> Path:
    """Return the folder in which the step's own nvidia-cuda-nvcc has its programs."""
    spec = importlib.util.find_spec("nvidia")
    for folder in (spec.submodule_search_locations or []) if spec else []:
        for program in Path(folder).glob("*/bin/ptxas"):
            return program.parents[1]
    raise LookupError("no package of this step brings ptxas")


def release(shown: str) -> str:
    """Return the release of CUDA that an assembler has named."""
    return re.findall(r"release ([\d.]+)", shown)[-1]


def after(name: str, **variables: str) -> str:
    """Take over what a shell snippet of the page exports and unsets; return what it printed."""
    os.environ.update(variables)
    script = f"{snippet_text(name)}\nenv -0"
    shown = subprocess.run(["bash", "-euc", script], capture_output=True, text=True, check=True)
    printed, _, first = shown.stdout.split("\0")[0].rpartition("\n")
    lines = [first, *shown.stdout.split("\0")[1:]]
    found = dict(line.split("=", 1) for line in lines if "=" in line)
    for variable in VARIABLES:
        os.environ.pop(variable, None)
        if variable in found:
            os.environ[variable] = found[variable]
    return printed
