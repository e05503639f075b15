"""DeepSpeed refuses to compile for a GPU with a toolkit of another CUDA than torch's."""
# /// script
# requires-python = ">=3.11"
# dependencies = ["fixbook", "torch==2.13.0", "deepspeed==0.19.8", "setuptools==84.2.1"]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

from importlib import metadata
from typing import Any

from failure import build, offload, precompiled
from proof_machine import asked, looked, machine, ran, read

from fixbook.recipe import detect, fix, main, measure, non_fix, reproduce

OLD = ["deepspeed==0.19.7"]
OLDER = ["deepspeed==0.16.4"]
ONCE = "an overlay of another DeepSpeed, imported anew"


def install(**how: Any) -> dict[str, Any]:
    """Compile an operator for GPUs as DeepSpeed is installed, on such a machine."""
    machine(**how)
    measure(release=metadata.version("deepspeed"))
    extension = precompiled()
    measure(accepted=extension.name)
    try:
        build(extension)
    finally:
        measure(compiled_by=asked())
    return {"found": read()["found"]}


def optimizer(page: str = "") -> dict[str, Any]:
    """Ask how to compile the optimizer for offloading."""
    machine(page=page)
    return {"for_cuda": "-D__ENABLE_CUDA__" in offload()}


@reproduce()
def another_major() -> Any:
    """The toolkit is of 12.1, torch of 13.0."""
    return install()


@reproduce(versions=OLD, record_once=ONCE)
def offload_by_0_19_7() -> Any:
    """The optimizer on the CPU was compiled with CUDA, and checked."""
    return optimizer()


@reproduce(versions=OLDER, record_once=ONCE)
def minor_of_12_by_an_older() -> Any:
    """12.9 beside 12.8: the list of this release ends before 12.9."""
    return install(path="12.9", build="12.8")


@reproduce()
def another_minor_of_13() -> Any:
    """13.1 beside 13.0: what DeepSpeed takes to be compatible ends with CUDA 12."""
    return install(path="13.1")


@reproduce()
def a_newer_major() -> Any:
    """The toolkit is of 13.0, torch of 12.8."""
    return install(path="13.0", build="12.8")


@detect(found=True)
def looked_at_another_major() -> Any:
    """12.1 on the PATH."""
    return looked()


@detect(found=True)
def looked_with_the_right_one_on_the_path() -> Any:
    """13.0 on the PATH, and CUDA_HOME leads to 12.1."""
    return looked(path="13.0", home="12.1")


@detect(found=False, control="looked-at-another-major")
def looked_at_the_same() -> Any:
    """13.0 on the PATH."""
    return looked(path="13.0")


@fix("toolkit", control="another-major")
def home_of_the_same_version() -> Any:
    """CUDA_HOME goes before the nvcc on the PATH."""
    return install(page="toolkit")


@fix("upgrade", control="offload-by-0-19-7")
def offload_by_0_19_8() -> Any:
    """It is compiled without CUDA, whatever the toolkit."""
    return optimizer("upgrade")


@fix("upgrade", control="minor-of-12-by-an-older")
def minor_of_12_by_0_19_8() -> Any:
    """Today's list has 12.9."""
    return install(path="12.9", build="12.8")


@fix("torch", control="another-major")
def torch_of_the_same_major() -> Any:
    """A torch of CUDA 12.8; within CUDA 12 DeepSpeed accepts another minor version."""
    return install(build="12.8")


@fix("skip-a-minor", control="another-minor-of-13")
def minor_skipped() -> Any:
    """DeepSpeed warns, torch warns, and the compiler is called."""
    return install(path="13.1", page="skip-a-minor")


@non_fix("skip-a-major", control="another-major")
def major_skipped() -> Any:
    """DeepSpeed lets it pass, and torch does not."""
    return install(page="skip-a-minor")


@detect(found=True)
def compiled_as_it_runs() -> Any:
    """Nobody compares versions."""
    return ran()


@detect(found=False, control="compiled-as-it-runs")
def compiled_as_it_runs_by_the_same() -> Any:
    """The same with torch's version."""
    return ran(path="13.0")


if __name__ == "__main__":
    main(__file__)
