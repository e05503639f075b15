"""A driver whose CUDA is older than the one that torch was built for."""
# /// script
# requires-python = ">=3.11"
# dependencies = ["fixbook", "torch==2.13.0"]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

import contextlib
import io
import warnings
from typing import Any

import proof_driver  # noqa: F401  # isort: skip  (before torch)
import torch
from failure import install_a_toolkit, start_cuda, take_the_gpu_if_there_is_one

from fixbook.recipe import detect, fix, main, measure, non_fix, reproduce, snippet

STAND_IN: dict[str, Any] = {
    "import_first": "proof_driver",
    "start": "cold",
    "record_once": "torch's build for CUDA is a download of half a gigabyte or more",
}
CU128: dict[str, Any] = {"versions": ["torch==2.10.0", "nvidia-cuda-runtime-cu12==12.8.90"]}
CU130: dict[str, Any] = {"versions": ["torch==2.11.0", "nvidia-cuda-runtime==13.0.96"]}
DRIVER_12_8: dict[str, Any] = {"env": {"STAND_IN_DRIVER": "12080"}}
DRIVER_12_0: dict[str, Any] = {"env": {"STAND_IN_DRIVER": "12000"}}
DRIVER_11_6: dict[str, Any] = {"env": {"STAND_IN_DRIVER": "11060"}}
DRIVER_13_0: dict[str, Any] = {"env": {"STAND_IN_DRIVER": "13000"}}


def run(*, toolkit: bool = False) -> dict[str, Any]:
    """Start CUDA; a driver that is new enough is asked for GPUs, and the stand-in has none."""
    measure(built_for=str(torch.version.cuda))
    if toolkit:
        measure(**install_a_toolkit())
    try:
        start_cuda()
    except RuntimeError as error:
        if "driver" in str(error):
            raise
        return {"said": str(error)}
    return {"said": "a GPU"}


def ask() -> dict[str, Any]:
    """Run the page's check, and what a script does that does not insist on a GPU."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        snippet("both")
    said = printed.getvalue().strip()
    driver, built = (int(part.partition(".")[0]) for part in said.split())
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        chosen = take_the_gpu_if_there_is_one()
    warned = any("too old" in str(one.message) for one in seen)
    return {"found": driver // 1000 < built, "said": said, "warned": warned} | chosen


@reproduce(**STAND_IN | CU130 | DRIVER_12_8)
def cuda_13_on_a_driver_for_12_8() -> dict[str, Any]:
    """What PyPI gave from 2.11.0 on, where the driver is for 12.8."""
    return run()


@reproduce(**STAND_IN | CU128 | DRIVER_11_6)
def cuda_12_8_on_a_driver_for_11_6() -> dict[str, Any]:
    """The release before, on an older driver."""
    return run()


@detect(found=True, **STAND_IN | CU130 | DRIVER_12_8)
def asks_both() -> dict[str, Any]:
    """The build is for a newer major version; a script that asks politely is told there is none."""
    return ask()


@detect(found=False, control="asks-both", **STAND_IN | CU130 | DRIVER_13_0)
def asks_both_of_a_newer_driver() -> dict[str, Any]:
    """The same, the driver is new enough."""
    return ask()


@detect(found=False, control="asks-both", **STAND_IN | CU128 | DRIVER_12_8)
def asks_both_of_an_older_build() -> dict[str, Any]:
    """The same driver, and a build for its CUDA."""
    return ask()


@fix("older-build", control="cuda-13-on-a-driver-for-12-8", **STAND_IN | CU128 | DRIVER_12_8)
def cuda_12_8_on_a_driver_for_12_8() -> dict[str, Any]:
    """The same driver, a build for its CUDA."""
    return run()


@fix("newer-driver", control="cuda-13-on-a-driver-for-12-8", **STAND_IN | CU130 | DRIVER_13_0)
def cuda_13_on_a_driver_for_13_0() -> dict[str, Any]:
    """The same build, a newer driver."""
    return run()


@fix("newer-driver", control="cuda-12-8-on-a-driver-for-11-6", **STAND_IN | CU128 | DRIVER_12_0)
def cuda_12_8_on_a_driver_for_12_0() -> dict[str, Any]:
    """A newer driver, older than the build all the same, of its major version."""
    return run()


@non_fix("toolkit", control="cuda-13-on-a-driver-for-12-8", **STAND_IN | CU130 | DRIVER_12_8)
def toolkit_installed() -> dict[str, Any]:
    """Torch finds the toolkit, and asks the driver all the same."""
    return run(toolkit=True)


if __name__ == "__main__":
    main(__file__)
