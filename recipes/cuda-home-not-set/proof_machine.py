"""Machines with and without a CUDA toolkit, and a torch that says it was built for CUDA."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import torch

from fixbook.recipe import snippet
from fixbook.recipe.helpers import path_without, private_mount

VERSION = "13.0"
NVCC = f"""#!/bin/sh
echo "Cuda compilation tools, release {VERSION}, V{VERSION}.48"
"""


def machine(*, cuda_build: bool = False) -> None:
    """Remove every toolkit that torch would find, and choose the build of torch."""
    if Path("/usr/local/cuda").exists():
        private_mount(1 << 20, "/usr/local")
    sys.modules.pop("torch.utils.cpp_extension", None)  # a process that forks steps has looked
    os.environ["PATH"] = path_without("nvcc")
    for name in ("CUDA_HOME", "CUDA_PATH"):
        os.environ.pop(name, None)
    if cuda_build:  # what such a build says of itself, on a machine without a GPU
        torch.version.cuda = VERSION
        torch.cuda._is_compiled = lambda: True
        torch.cuda.is_available = lambda: False


def toolkit(*, nvcc: bool = True) -> str:
    """Make a folder that looks like a toolkit, and return it."""
    folder = Path("cuda").absolute()
    (folder / "bin").mkdir(parents=True)
    if nvcc:
        file = folder / "bin/nvcc"
        file.write_text(NVCC, "utf-8")
        file.chmod(0o755)
    return str(folder)


def looked(*, cuda_build: bool, before: str | None = None) -> dict[str, Any]:
    """Run the measurement; ``before`` is what stands before the toolkit in the variable."""
    machine(cuda_build=cuda_build)
    if before is not None:
        os.environ["CUDA_HOME"] = before + toolkit()
    seen = snippet("look")
    home = str(seen["CUDA_HOME"] or "")[:1]
    return {"found": not seen["nvcc"], "build": seen["build"] or "cpu", "home": home}
