"""Bitsandbytes, where torch is for a CUDA and the libraries that a file wants are there or not."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

from failure import first_kernel
from proof_gpu import (
    CUDA_12,
    CUDA_13,
    bring,
    compile_libraries,
    files,
    import_sources,
    replace_cpu_library,
    say_cuda,
)

from fixbook.recipe import measure, snippet
from fixbook.recipe.helpers import run_python

CHILD = """
from failure import first_kernel
from proof_gpu import say_cuda
say_cuda("12.8")
print(first_kernel())
"""


def run(
    cuda: str = "12.8",
    libraries: str = "",
    *,
    override: str | None = None,
    cpu: str = "",
    checkout: bool = False,
) -> dict[str, Any]:
    """Use bitsandbytes where torch is for a CUDA and what a file wants has been loaded."""
    say_cuda(cuda)
    measure(files=files())
    if libraries:
        loaded = bring(compile_libraries(libraries, Path("libraries").resolve()))
        measure(loaded=loaded)
    if cpu:
        measure(cpu_library=replace_cpu_library(cpu))
    if checkout:
        measure(imported=import_sources())
    try:
        return first_kernel(override=override)
    finally:
        measure(override=os.environ.get("BNB_CUDA_VERSION"))


def with_folders() -> dict[str, Any]:
    """Start a process with the folders that the page finds."""
    compile_libraries(CUDA_12, Path("site/nvidia/of_cuda/lib").resolve())
    sys.path.insert(0, str(Path("site").resolve()))
    folders = snippet("folders")["folders"]
    own = {"PYTHONPATH": str(Path(__file__).parent), "LD_LIBRARY_PATH": folders}
    done = run_python(CHILD, env=own)
    return {"file": done.stdout.split("'")[-2], "folders": folders.count(":") + 1}


def without_nvjitlink() -> dict[str, Any]:
    """Ask the page's check about the file for 13.0, and use it."""
    say_cuda("13.0")
    compiled = compile_libraries(CUDA_13, Path("libraries").resolve())
    bring([file for file in compiled if "nvJitLink" not in file.name])
    measure(found=snippet("loads")["loads"][CUDA_13] != "loads", files=files())
    return first_kernel()
