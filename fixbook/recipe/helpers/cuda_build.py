"""A build of torch for CUDA, imported on a machine without CUDA's libraries or a GPU.

The build from PyPI links gigabytes of libraries that are packages of their own. Importing it needs
their names alone: functions are looked up when they are called. So an empty library stands in for
each that is not there, and torch and CUDA's own runtime are the published ones.
"""

from __future__ import annotations

import ctypes
import importlib.util
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from fixbook.recipe.author.skip import skip
from fixbook.recipe.helpers.cuda_driver import SOURCE

_MISSING = re.compile(r"^\s*(\S+) => not found", re.MULTILINE)
_DRIVER = "libcuda.so.1"


def stand_in_cuda(driver: int | None = None, *, gpus: int = 0) -> None:
    """Let this process import torch's build for CUDA. Call it before torch is imported.

    Args:
        driver: CUDA version of a driver that stands in, such as 12080 for 12.8; None for none.
        gpus: GPUs that it has. They can be counted, hidden by CUDA_VISIBLE_DEVICES and
            selected, and compute nothing.

    Raises:
        subprocess.CalledProcessError: The compiler refused; its message has been printed.
        RuntimeError: torch has been imported already.
    """
    if "torch" in sys.modules:
        raise RuntimeError("torch has been imported: call stand_in_cuda before")
    for program in ("cc", "ldd"):
        if not shutil.which(program):
            skip(f"{program} is not installed")
    spec = importlib.util.find_spec("torch")
    libraries = Path(str(spec and spec.origin)).with_name("lib")
    if not (libraries / "libtorch_cuda.so").is_file():
        skip("the torch that pip brought is not built for CUDA")
    folder = Path(tempfile.mkdtemp())
    if driver is not None:
        options = [f"-DDRIVER={driver}", *([f"-DGPUS={gpus}"] if gpus else [])]
        _load(_compiled(folder / _DRIVER, SOURCE, *options))
    for name in _missing(libraries):
        _load(_compiled(folder / name, ""))
    sys.setdlopenflags(os.RTLD_LAZY)


def _missing(libraries: Path) -> list[str]:
    files = [str(path) for path in sorted(libraries.glob("lib*.so"))]
    listed = subprocess.run(["ldd", *files], capture_output=True, text=True, check=False)
    return sorted(set(_MISSING.findall(listed.stdout)) - {_DRIVER})


def _compiled(target: Path, source: str, *options: str) -> Path:
    command = ["cc", "-shared", "-fPIC", f"-Wl,-soname,{target.name}", "-o", str(target)]
    subprocess.run([*command, *options, "-x", "c", "-"], input=source, text=True, check=True)
    return target


def _load(library: Path) -> None:
    """Load it under its name, so that whatever asks for that name gets it."""
    ctypes.CDLL(str(library), ctypes.RTLD_GLOBAL)
