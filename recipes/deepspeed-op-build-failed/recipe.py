"""The compiler failed; that an extension could not be built, or ninja, is what comes after."""
# /// script
# requires-python = ">=3.11"
# dependencies = ["fixbook", "torch==2.13.0", "deepspeed==0.19.8", "ninja==1.13.2"]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

import os
from typing import Any

from failure import build, optimizer, train
from proof_after import asked_again, changed_since, empty_the_cache, first_error
from proof_machine import beside_a_failing_build, edit_torch, machine, most_at_once, watch_ninja

from fixbook.recipe import detect, fix, main, measure, non_fix, reproduce, snippet
from fixbook.recipe.helpers import join_ranks

FROM_PIP = [
    "cuda-toolkit==13.0.2",
    "nvidia-cuda-nvcc==13.0.88",
    "nvidia-nvvm==13.0.88",
    "nvidia-cuda-crt==13.0.88",
    "nvidia-cuda-cccl==13.0.85",
    "nvidia-cuda-runtime==13.0.96",
]
DOWNLOAD = "CUDA's compiler from PyPI, 270 MB"


def run(
    cause: str, *, mended: bool = False, edited: bool = False, emptied: bool = False
) -> dict[str, Any]:
    """Build on such a machine."""
    flags = machine(cause, mended=mended)
    asked = watch_ninja()
    if emptied:
        empty_the_cache()
    if edited:
        edit_torch()
    links = "-lcurand_missing" if cause == "header" else ""
    try:
        version = build(flags=flags, links=links, gpu=cause == "nvcc").version
        return {"version": version, "found": first_error() != ""}
    finally:
        measure(ninja=asked.read_text("utf-8").strip())
        if cause == "memory":
            measure(at_once=most_at_once())


def with_deepspeed(change: Any = id) -> dict[str, Any]:
    """Train on such a machine, as one process."""
    machine("always killed")
    join_ranks()
    return {"found": False, **train(change)}


@reproduce(programs=["c++"])
def nvcc_too_old() -> Any:
    """The nvcc on the PATH is older than the GPU."""
    return run("nvcc")


@reproduce(programs=["c++"])
def header_missing() -> Any:
    """A header is not where the compiler looks."""
    return run("header")


@reproduce(programs=["c++"])
def compiler_killed() -> Any:
    """Two compilers run, and there is memory for one."""
    return run("memory")


@reproduce(programs=["c++"])
def old_standard() -> Any:
    """The operator asks for an older C++ than its sources need."""
    return run("standard")


@reproduce(needs=["deepspeed"], programs=["c++"])
def deepspeed_fused_adam() -> Any:
    """DeepSpeed's own operator; every compiler is killed."""
    machine("always killed")
    return optimizer()


@reproduce(needs=["deepspeed"], programs=["c++"])
def fused_adam_in_training() -> Any:
    """A training whose configuration asks for AdamW; every compiler is killed."""
    return with_deepspeed()


@reproduce(programs=["c++"])
def verbose() -> Any:
    """The compiler's words go to standard output, and the error has none."""
    machine("header")
    return build(verbose=True)


@reproduce(programs=["c++"])
def waited_for_another() -> Any:
    """Another process builds and fails; this one looks for the library."""
    machine("header")
    other = beside_a_failing_build()
    try:
        return build()
    finally:
        os.waitpid(other, 0)


@fix(
    "toolkit",
    control="nvcc-too-old",
    versions=FROM_PIP,
    programs=["c++"],
    record_once=DOWNLOAD,
)
def nvcc_of_torch() -> Any:
    """CUDA_HOME leads to the toolkit of torch's version, which compiles the kernel."""
    return run("nvcc", mended=True)


@fix("header", control="header-missing", programs=["c++"])
def header_found() -> Any:
    """Both folders of the conda environment are named."""
    return run("header", mended=True)


@fix("one-at-a-time", control="compiler-killed", programs=["c++"])
def one_at_a_time() -> Any:
    """MAX_JOBS=1."""
    return run("memory", mended=True)


@fix(
    "without-the-operator",
    control="fused-adam-in-training",
    needs=["deepspeed"],
    programs=["c++"],
)
def torch_adam() -> Any:
    """PyTorch's AdamW; no compiler is asked."""
    return with_deepspeed(lambda config: snippet("torch-adam", config=config))


@fix("standard", control="old-standard", programs=["c++"])
def standard_of_torch() -> Any:
    """Without the flag, torch's own counts."""
    return run("standard", mended=True)


@non_fix("ninja-version", control="header-missing", programs=["c++"])
def told_its_version() -> Any:
    """Nothing is built, and nobody says so."""
    return run("header", edited=True)


@non_fix("empty-the-cache", control="header-missing", programs=["c++"])
def cache_emptied() -> Any:
    """It builds anew, and fails anew."""
    return run("header", emptied=True)


@detect(found=True, programs=["c++"])
def asked_for_the_first_error() -> Any:
    """It names the header."""
    return asked_again("header")


@detect(found=True, programs=["c++"])
def asked_for_a_missing_library() -> Any:
    """It names what the linker did not find."""
    return asked_again("none", links="-lcurand_missing")


@detect(found=True, programs=["c++"])
def asked_after_an_old_nvcc() -> Any:
    """No compiler says ``error:``; the end of the output names it."""
    return asked_again("nvcc")


@detect(found=False, programs=["c++"])
def asked_after_a_kill() -> Any:
    """One compiler at a time, and nothing fails: the library is there."""
    return asked_again("memory")


@detect(found=True, programs=["c++"])
def an_old_library_is_loaded() -> Any:
    """Edited, and a library is there from before."""
    return changed_since(edited=True)


@detect(found=False, control="an-old-library-is-loaded", programs=["c++"])
def the_new_one_is_loaded() -> Any:
    """Not edited."""
    return changed_since(edited=False)


if __name__ == "__main__":
    main(__file__)
