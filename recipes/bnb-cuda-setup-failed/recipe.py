"""Bitsandbytes cannot load its library for CUDA, or has none for this torch."""
# /// script
# requires-python = ">=3.11"
# dependencies = ["fixbook", "torch==2.13.0", "bitsandbytes==0.50.2"]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

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

from fixbook.recipe import fix, main, measure, non_fix, reproduce, snippet
from fixbook.recipe.helpers import run_python

COMPILER: Any = {"programs": ["cc", "nm", "readelf"]}
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


@reproduce()
def dependency_missing() -> dict[str, Any]:
    """The file for this CUDA is there, and what it is linked to is not."""
    return run()


@reproduce(**COMPILER)
def override_left_behind() -> dict[str, Any]:
    """A variable names a file that this release does not have."""
    return run(libraries=CUDA_12, override="125")


@fix("unset-override", control="override-left-behind", **COMPILER)
def no_override() -> dict[str, Any]:
    """The same without the variable."""
    return run(libraries=CUDA_12)


@reproduce(**COMPILER)
def source_checkout() -> dict[str, Any]:
    """A checkout comes first on the path of imports, and nothing was compiled in it."""
    return run(libraries=CUDA_12, checkout=True)


@fix("leave-the-checkout", control="source-checkout", **COMPILER)
def installed_package() -> dict[str, Any]:
    """The package that was installed is imported."""
    return run(libraries=CUDA_12, checkout=False)


@fix(
    "library-path",
    control="dependency-missing",
    record_once="an interpreter of its own, which imports torch anew",
    **COMPILER,
)
def path_before_the_start() -> dict[str, Any]:
    """The folders that the page finds are in the variable when the process starts."""
    compile_libraries(CUDA_12, Path("site/nvidia/of_cuda/lib").resolve())
    sys.path.insert(0, str(Path("site").resolve()))
    folders = snippet("folders")["folders"]
    own = {"PYTHONPATH": str(Path(__file__).parent), "LD_LIBRARY_PATH": folders}
    done = run_python(CHILD, env=own)
    return {"file": done.stdout.split("'")[-2], "folders": folders.count(":") + 1}


@non_fix("empty-override", control="override-left-behind", **COMPILER)
def override_emptied() -> dict[str, Any]:
    """The variable is there, and empty."""
    return run(libraries=CUDA_12, override="")


@non_fix("copy-over-cpu", control="override-left-behind", **COMPILER)
def copied_over_the_cpu_library() -> dict[str, Any]:
    """The CPU's file is replaced by one that loads."""
    return run(libraries=CUDA_12, override="125", cpu=CUDA_12)


@non_fix("other-toolkit", control="dependency-missing", **COMPILER)
def libraries_of_cuda_13() -> dict[str, Any]:
    """The libraries of another major version are found."""
    return run(libraries=CUDA_13)


if __name__ == "__main__":
    main(__file__)
