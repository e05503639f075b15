"""Machines with toolkits of CUDA that state their version, and a torch built for CUDA."""

from __future__ import annotations

import contextlib
import importlib
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import torch
from failure import at_run_time

from fixbook.recipe import measure, snippet, snippet_text
from fixbook.recipe.helpers import private_mount

NVCC = """#!/bin/sh
case " $* " in
*" -V "*|*" --version "*) echo "Cuda compilation tools, release {version}, V{version}.48" ;;
*) echo {version} > {asked} ;;
esac
"""
ASKED = Path("asked")


def toolkit(version: str, where: Path = Path()) -> str:
    """Make a folder that looks like a toolkit, and return it."""
    folder = (where / f"cuda-{version}").absolute()
    (folder / "bin").mkdir(parents=True, exist_ok=True)
    (folder / "lib64").mkdir(exist_ok=True)
    nvcc = folder / "bin/nvcc"
    nvcc.write_text(NVCC.format(version=version, asked=ASKED.absolute()), "utf-8")
    nvcc.chmod(0o755)
    return str(folder)


def machine(path: str = "12.1", *, home: str = "", build: str = "13.0", page: str = "") -> None:
    """Put a toolkit on the PATH and another into CUDA_HOME, and choose the build of torch.

    ``page`` names the commands of the page that are run then.
    """
    if page == "toolkit":
        private_mount(1 << 20, "/usr/local")
        toolkit("13.0", Path("/usr/local"))
    os.environ.pop("CUDA_HOME", None)
    os.environ["PATH"] = os.pathsep.join(
        [toolkit(path) + "/bin", str(Path(sys.executable).parent), os.environ["PATH"]]
    )
    if home:
        os.environ["CUDA_HOME"] = toolkit(home)
    os.environ["DS_SKIP_CUDA_CHECK"] = "0"
    if page:
        follow(page)
    os.environ["TORCH_CUDA_ARCH_LIST"] = "9.0"  # there is no GPU that could be asked
    os.environ |= {"TORCH_DONT_CHECK_COMPILER_ABI": "1", "CC": "true", "CXX": "true"}  # see `asked`
    torch.version.cuda = build  # what such a build says of itself, on a machine without a GPU
    torch.cuda._is_compiled = lambda: True
    torch.cuda.is_available = lambda: False
    sys.modules.pop("torch.utils.cpp_extension", None)  # a process that forks steps has looked
    importlib.import_module("torch.utils.cpp_extension")


def follow(page: str) -> None:
    """Run commands of the page, with no index to install from, and take over what they export."""
    os.environ["PIP_NO_INDEX"] = "1"
    command = snippet_text(page) + "\nenv -0 >variables"
    subprocess.run(["bash", "-euo", "pipefail", "-c", command], check=True)
    said = Path("variables").read_text("utf-8").strip("\0")
    os.environ |= dict(line.split("=", 1) for line in said.split("\0"))


def asked() -> str:
    """Return the version of the nvcc that was asked to compile, or ``nobody``.

    Nothing is compiled or linked: the compilers that stand in for nvcc and c++ do nothing else.
    """
    return ASKED.read_text("utf-8").strip() if ASKED.exists() else "nobody"


def ran(**how: Any) -> dict[str, Any]:
    """Compile at run time, and see whether a version kept the compiler from being called."""
    machine(**how)
    os.environ["TORCH_EXTENSIONS_DIR"] = str(Path("extensions").absolute())
    with contextlib.suppress(ImportError):  # there is no library, since nothing was compiled
        at_run_time()
    measure(compiled_by=asked())
    return {"found": asked() not in {torch.version.cuda, "nobody"}}


def looked(**how: Any) -> dict[str, Any]:
    """Run the measurement on such a machine."""
    machine(**how)
    return read()


def read() -> dict[str, Any]:
    """Run the measurement, and read it as the page does."""
    seen = snippet("look")
    torch_s, toolkit_s = (str(text).split(".") for text in (torch.version.cuda, seen["toolkit"]))
    of_13 = torch_s[0] == toolkit_s[0] == "13"
    found = torch_s != toolkit_s if of_13 else torch_s[0] != toolkit_s[0]
    return {"found": found, "toolkit": seen["toolkit"]}
