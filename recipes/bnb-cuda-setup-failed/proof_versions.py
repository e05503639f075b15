"""Older releases: what they say, and what they want that today's does not."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from failure import first_kernel, train
from proof_gpu import CUDA_13, bring, compile_libraries, files, say_cuda

from fixbook.recipe import fix, measure, reproduce, snippet

COMPILER: Any = {"programs": ["cc", "nm", "readelf"]}
ONCE = "an older release beside the main one"
LIKE_CONTROL: Any = {"record_once": "so does its control, an older release", **COMPILER}
OF_0_42: Any = {"versions": ["bitsandbytes==0.42.0"], "record_once": ONCE, **COMPILER}
OF_0_45: Any = {"versions": ["bitsandbytes==0.45.5"], "record_once": ONCE, **COMPILER}
OF_0_47: Any = {"versions": ["bitsandbytes==0.47.0"], "record_once": ONCE, **COMPILER}
OF_0_50: Any = {"versions": ["bitsandbytes==0.50.0"], "record_once": ONCE, **COMPILER}
OF_0_49: Any = {"versions": ["bitsandbytes==0.49.2"], "record_once": ONCE, **COMPILER}


def run(cuda: str, libraries: str = "", *, override: str | None = None) -> dict[str, Any]:
    """Use it where torch is for a CUDA, and what a file wants has been loaded."""
    say_cuda(cuda)
    measure(files=files())
    if libraries:
        compiled = compile_libraries(libraries, Path("libraries").resolve())
        measure(loaded=bring(compiled))
    return first_kernel(override=override)


def without_nvjitlink() -> dict[str, Any]:
    """Ask the page's check about the file for 13.0, and use it."""
    say_cuda("13.0")
    compiled = compile_libraries(CUDA_13, Path("libraries").resolve())
    bring([file for file in compiled if "nvJitLink" not in file.name])
    measure(found=snippet("loads")["loads"][CUDA_13] != "loads", files=files())
    return first_kernel()


@reproduce(**OF_0_42)
def setup_failed_on_0_42() -> dict[str, Any]:
    """No file for this CUDA."""
    return run("12.8")


@reproduce(**OF_0_45)
def no_file_on_0_45() -> dict[str, Any]:
    """It takes the CPU's library instead, which lacks the kernel."""
    return run("13.0")


@reproduce(**OF_0_45)
def dependency_missing_on_0_45() -> dict[str, Any]:
    """Its library is None, and the import succeeds."""
    return run("12.8")


@reproduce(**OF_0_45)
def cpu_build_on_0_45() -> dict[str, Any]:
    """Torch is a build for the CPU; nothing stands in here."""
    return train()


@reproduce(**OF_0_47)
def no_file_for_13_0() -> dict[str, Any]:
    """It has none for CUDA 13."""
    return run("13.0")


@reproduce(**OF_0_49)
def no_file_for_13_1() -> dict[str, Any]:
    """It takes a file of the very version alone."""
    return run("13.1", CUDA_13)


@reproduce(**OF_0_49)
def wants_nvjitlink() -> dict[str, Any]:
    """All that it wants is loaded but for one."""
    return without_nvjitlink()


@fix("nearest-override", control="no-file-for-13-1", **OF_0_49)
def named_file() -> dict[str, Any]:
    """It is told to take the file for 13.0."""
    return run("13.1", CUDA_13, override="130")


@fix("upgrade", control="no-file-for-13-1", **OF_0_50)
def nearest_on_0_50_0() -> dict[str, Any]:
    """The first release that takes the nearest file."""
    return run("13.1", CUDA_13)


@fix("upgrade", control="no-file-for-13-1", **LIKE_CONTROL)
def nearest_of_the_major() -> dict[str, Any]:
    """Today's release takes its file for 13.0."""
    return run("13.1", CUDA_13)


@fix("upgrade", control="wants-nvjitlink", **LIKE_CONTROL)
def no_nvjitlink_wanted() -> dict[str, Any]:
    """Its file for the same CUDA does without."""
    return without_nvjitlink()
