"""Torchvision's library does not load beside this torch, and its operators are missing."""
# /// script
# requires-python = ">=3.11"
# dependencies = ["fixbook", "torch==2.13.0", "transformers==5.23.0"]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

from typing import Any

from proof_builds import ask, by_hand, forward, run

from fixbook.recipe import detect, fix, main, non_fix, reproduce

ONCE = "torchvision beside the main environment"
OTHER_RELEASE: dict[str, Any] = {
    "versions": ["torchvision==0.24.0"],
    "start": "cold",
    "record_once": ONCE,
}
CUDA_BUILD: dict[str, Any] = {
    "versions": ["torchvision==0.28.0"],
    "start": "cold",
    "record_once": ONCE,
}
COMPILED: dict[str, Any] = {
    "versions": ["torchvision==0.28.0"],
    "start": "cold",
    "record_once": "compiles an extension against the headers of torch",
    "programs": ["g++"],
    "timeout_s": 400.0,
}


@reproduce(**OTHER_RELEASE)
def other_release() -> dict[str, Any]:
    """Of another torch."""
    return run()


@reproduce(**CUDA_BUILD)
def cuda_build() -> dict[str, Any]:
    """Of this release of torch, and built for CUDA."""
    return run()


@reproduce(**OTHER_RELEASE)
def run_again() -> dict[str, Any]:
    """The second attempt in one process says something else."""
    return run(once_before=True)


@reproduce(**OTHER_RELEASE)
def in_transformers() -> dict[str, Any]:
    """A text model, beside it."""
    return forward()


@detect(found=True, **OTHER_RELEASE)
def asks_other_release() -> dict[str, Any]:
    """It names a CUDA that is not there."""
    return ask()


@detect(found=True, **CUDA_BUILD)
def asks_cuda_build() -> dict[str, Any]:
    """It names a part of torch that a CPU build lacks."""
    return ask()


@detect(found=True, **COMPILED)
def asks_cpu_build() -> dict[str, Any]:
    """It loads, and is for the CPU alone."""
    return ask(reinstalled=True, cuda="13.0")


@detect(found=False, control="asks-cpu-build", **COMPILED)
def asks_same_build() -> dict[str, Any]:
    """It loads."""
    return ask(reinstalled=True)


@fix("same-build", control="cuda-build", **COMPILED)
def same_build() -> dict[str, Any]:
    """The printed commands; pip takes the build for this torch."""
    return run(reinstalled=True)


@fix("uninstall", control="in-transformers")
def without_torchvision() -> dict[str, Any]:
    """A text model needs no torchvision."""
    return forward()


@non_fix("same-release", control="other-release", **CUDA_BUILD)
def same_release() -> dict[str, Any]:
    """The release that belongs to this torch, from PyPI."""
    return run()


@detect(found=True, **OTHER_RELEASE)
def nms_defined_by_hand() -> dict[str, Any]:
    """The import passes; the operator has nothing behind it."""
    return by_hand(define_nms=True)


@detect(found=False, control="nms-defined-by-hand", **OTHER_RELEASE)
def nms_not_defined() -> dict[str, Any]:
    """The import says it at once."""
    return by_hand(define_nms=False)


if __name__ == "__main__":
    main(__file__)
