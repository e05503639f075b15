"""Bitsandbytes cannot load its library for CUDA, or has none for this torch."""
# /// script
# requires-python = ">=3.11"
# dependencies = ["fixbook", "torch==2.13.0", "bitsandbytes==0.50.2"]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

from typing import Any

from failure import train
from proof_check import ask, check
from proof_gpu import CUDA_12, CUDA_13
from proof_run import run, with_folders, without_nvjitlink

from fixbook.recipe import detect, fix, main, non_fix, reproduce

COMPILER: Any = {"programs": ["cc", "nm", "readelf"]}
ONCE = "an older release beside the main one"
LIKE_CONTROL: Any = {"record_once": "so does its control, an older release", **COMPILER}
OF_0_42: Any = {"versions": ["bitsandbytes==0.42.0"], "record_once": ONCE, **COMPILER}
OF_0_45: Any = {"versions": ["bitsandbytes==0.45.5"], "record_once": ONCE, **COMPILER}
OF_0_47: Any = {"versions": ["bitsandbytes==0.47.0"], "record_once": ONCE, **COMPILER}
OF_0_49: Any = {"versions": ["bitsandbytes==0.49.2"], "record_once": ONCE, **COMPILER}
OF_0_50: Any = {"versions": ["bitsandbytes==0.50.0"], "record_once": ONCE, **COMPILER}


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


@reproduce()
def dependency_missing() -> dict[str, Any]:
    """The file for this CUDA is there, and what it is linked to is not."""
    return run()


@reproduce(**COMPILER)
def override_left_behind() -> dict[str, Any]:
    """A variable names a file that this release does not have."""
    return run(libraries=CUDA_12, override="125")


@reproduce(**COMPILER)
def source_checkout() -> dict[str, Any]:
    """A checkout comes first on the path of imports, and nothing was compiled in it."""
    return run(libraries=CUDA_12, checkout=True)


@detect(found=True)
def asks_without_libraries() -> dict[str, Any]:
    """The page's check names what is missing."""
    return ask()


@detect(found=False, control="asks-without-libraries", **COMPILER)
def asks_with_libraries() -> dict[str, Any]:
    """What torch brings is loaded."""
    return ask(CUDA_12)


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


@fix("unset-override", control="override-left-behind", **COMPILER)
def no_override() -> dict[str, Any]:
    """The same without the variable."""
    return run(libraries=CUDA_12)


@fix(
    "library-path",
    control="dependency-missing",
    record_once="an interpreter of its own, which imports torch anew",
    **COMPILER,
)
def path_before_the_start() -> dict[str, Any]:
    """The folders that the page finds are in the variable when the process starts."""
    return with_folders()


@fix("leave-the-checkout", control="source-checkout", **COMPILER)
def installed_package() -> dict[str, Any]:
    """The package that was installed is imported."""
    return run(libraries=CUDA_12, checkout=False)


@fix("nearest-override", control="no-file-for-13-1", **OF_0_49)
def named_file() -> dict[str, Any]:
    """It is told to take the file for 13.0."""
    return run("13.1", CUDA_13, override="130")


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


@detect(found=True)
def trains_on_the_cpu() -> dict[str, Any]:
    """An 8-bit optimizer works without a GPU; the assertion would have said it."""
    return train() | check()


@detect(found=True)
def asserts_without_libraries() -> dict[str, Any]:
    """The import goes through, and the page's assertion does not."""
    return check("12.8")


@detect(found=False, control="asserts-without-libraries", **COMPILER)
def asserts_with_libraries() -> dict[str, Any]:
    """The library is loaded."""
    return check("12.8", CUDA_12)


if __name__ == "__main__":
    main(__file__)
