"""Machines with and without a CUDA toolkit, and a torch that says it was built for CUDA."""

from __future__ import annotations

import importlib
import importlib.metadata
import os
import shutil
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import torch

from fixbook.recipe import snippet, snippet_text
from fixbook.recipe.helpers import path_without, private_mount

if TYPE_CHECKING:
    from collections.abc import Callable

VERSION = "13.0"
NVCC = f"""#!/bin/sh
echo "Cuda compilation tools, release {VERSION}, V{VERSION}.48"
"""


def machine(*, cuda_build: bool = False, gpu: bool = False) -> None:
    """Remove every toolkit that torch would find, and choose the build of torch."""
    if Path("/usr/local/cuda").exists():
        private_mount(1 << 20, "/usr/local")
    os.environ["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{path_without('nvcc')}"
    os.environ["PIP_NO_INDEX"] = "1"  # what pip is to install is there
    for name in ("CUDA_HOME", "CUDA_PATH"):
        os.environ.pop(name, None)
    if gpu:  # modules that read the build while they are imported, before it is changed
        importlib.import_module("torch.distributed.fsdp")
        importlib.import_module("torch._dynamo.device_interface")
        os.environ["DS_ACCELERATOR"] = "cuda"
        torch.cuda.device_count = lambda: 1
        torch.cuda.get_device_properties = lambda *_: SimpleNamespace(major=9, minor=0)
    sys.modules.pop("torch.utils.cpp_extension", None)  # a process that forks steps has looked
    if cuda_build:  # what such a build says of itself
        torch.version.cuda = VERSION
        torch.cuda._is_compiled = lambda: True
        torch.cuda.is_available = lambda: gpu


def toolkit(folder: str = "cuda") -> str:
    """Make a folder that looks like a toolkit, and return it."""
    home = without_nvcc(folder)
    file = Path(home) / "bin/nvcc"
    file.write_text(NVCC, "utf-8")
    file.chmod(0o755)
    return home


def without_nvcc(folder: str = "cuda") -> str:
    """Make a folder like that of a toolkit that has libraries alone, and return it."""
    home = Path(folder).absolute()
    (home / "bin").mkdir(parents=True)
    return str(home)


def behind_a_colon() -> str:
    """Return what CUDA_HOME becomes by adding a toolkit to an empty variable."""
    return f":{toolkit()}"


def printed(name: str) -> str:
    """Run the commands of the page, and return the CUDA_HOME that they export."""
    command = snippet_text(name) + '\necho "$CUDA_HOME"'
    said = subprocess.check_output(["bash", "-euo", "pipefail", "-c", command], text=True)
    print(said)
    return said.splitlines()[-1]


def installed() -> str:
    """Have a toolkit in the folder that the page names, and follow the page."""
    if not Path("/usr/local/cuda").exists():  # else it is mounted already
        private_mount(1 << 20, "/usr/local")
    toolkit("/usr/local/cuda-13.0")
    return printed("installed")


def from_pip() -> str:
    """Follow the page where pip has the packages, in a tree of links to them."""
    packages = importlib.metadata.distribution("cuda-toolkit").locate_file("")
    shutil.copytree(str(packages), "site", copy_function=os.symlink)
    os.environ["PYTHONPATH"] = str(Path("site").absolute())
    for name in ("c10_cuda", "torch_cuda"):  # what torch for the CPU has not got
        subprocess.run(["gcc", "-shared", "-o", f"lib{name}.so", "-xc", os.devnull], check=True)
    os.environ["LIBRARY_PATH"] = str(Path.cwd())
    os.environ["TORCH_CUDA_ARCH_LIST"] = "9.0"
    return printed("from-pip")


def looked(*, cuda_build: bool, home: Callable[[], str] | None = None) -> dict[str, Any]:
    """Run the measurement, with what ``home`` returns in the variable."""
    machine(cuda_build=cuda_build)
    if home:
        os.environ["CUDA_HOME"] = home()
    return read()


def read() -> dict[str, Any]:
    """Read what the check of the page prints."""
    seen = snippet("look")
    home = str(seen["CUDA_HOME"] or "")[:1]
    return {"found": not seen["nvcc"], "build": torch.version.cuda or "cpu", "home": home}
