"""No driver in the process, or GPUs that CUDA_VISIBLE_DEVICES hides."""
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
from typing import Any

import proof_driver  # noqa: F401  # isort: skip  (before torch)
import torch
from failure import choose_a_gpu, install_a_toolkit, take_the_gpu_if_there_is_one, visible

from fixbook.recipe import detect, fix, main, measure, non_fix, reproduce, snippet

CUDA_BUILD: dict[str, Any] = {
    "versions": ["torch==2.11.0", "nvidia-cuda-runtime==13.0.96"],
    "import_first": "proof_driver",
    "start": "cold",
    "record_once": "torch's build for CUDA is a download of half a gigabyte",
}
NO_DRIVER: dict[str, Any] = {"env": {"STAND_IN_GPUS": "no driver"}}
NO_GPU: dict[str, Any] = {"env": {"STAND_IN_GPUS": "0"}}
ONE_GPU: dict[str, Any] = {"env": {"STAND_IN_GPUS": "1"}}
SECOND_OF_ONE: dict[str, Any] = {"env": {"STAND_IN_GPUS": "1", "CUDA_VISIBLE_DEVICES": "1"}}
FIRST_OF_ONE: dict[str, Any] = {"env": {"STAND_IN_GPUS": "1", "CUDA_VISIBLE_DEVICES": "0"}}
NONE_OF_ONE: dict[str, Any] = {"env": {"STAND_IN_GPUS": "1", "CUDA_VISIBLE_DEVICES": ""}}


def run(*, toolkit: bool = False, number: bool = False, printed: bool = False) -> dict[str, Any]:
    """Follow an advice, then choose a GPU; ``printed``: or the device, by the page's lines."""
    if toolkit:
        measure(**install_a_toolkit())
    if number:
        snippet("number")
        measure(visible=visible())
    if printed:
        model = snippet("what-is-there", torch=torch, model=torch.nn.Linear(2, 2))["model"]
        return {"device": str(model.weight.device)}
    return choose_a_gpu()


def ask(*, before: bool = False, number: bool = False) -> dict[str, Any]:
    """Run the page's check, and what a script does that does not insist on a GPU."""
    if before:
        torch.cuda.is_available()  # as libraries do while they are imported
    if number:
        snippet("number")
    printed = io.StringIO()
    try:
        with contextlib.redirect_stdout(printed):
            snippet("why")
        said = printed.getvalue().strip()
    except OSError as error:
        said = type(error).__name__
    return {"found": not said.endswith("True"), "said": said} | take_the_gpu_if_there_is_one()


@reproduce(**CUDA_BUILD | NO_DRIVER)
def no_driver() -> dict[str, Any]:
    """A container that was given no GPU."""
    return run()


@reproduce(**CUDA_BUILD | NO_GPU)
def no_gpu() -> dict[str, Any]:
    """A driver, and no GPU."""
    return run()


@reproduce(**CUDA_BUILD | SECOND_OF_ONE)
def second_gpu_of_one() -> dict[str, Any]:
    """The variable names a GPU that is not there."""
    return run()


@reproduce(**CUDA_BUILD | NONE_OF_ONE)
def variable_is_empty() -> dict[str, Any]:
    """The variable names none."""
    return run()


@reproduce(on="cuda", env={"CUDA_VISIBLE_DEVICES": "99"})
def hidden_on_a_gpu() -> dict[str, Any]:
    """The same with a real driver."""
    return run()


@detect(found=True, **CUDA_BUILD | NO_DRIVER)
def asks_without_a_driver() -> dict[str, Any]:
    """No driver."""
    return ask()


@detect(found=True, **CUDA_BUILD | SECOND_OF_ONE)
def asks_for_the_second_of_one() -> dict[str, Any]:
    """Hidden."""
    return ask()


@detect(found=False, control="asks-for-the-second-of-one", **CUDA_BUILD | SECOND_OF_ONE)
def asks_for_the_first_of_one() -> dict[str, Any]:
    """Visible."""
    return ask(number=True)


@detect(found=True, **CUDA_BUILD | SECOND_OF_ONE)
def asks_again_after_an_import_asked() -> dict[str, Any]:
    """Torch was asked before the variable was corrected."""
    return ask(before=True, number=True)


@detect(found=False, control="asks-without-a-driver", **CUDA_BUILD | ONE_GPU)
def asks_with_the_driver() -> dict[str, Any]:
    """The driver is there, with a GPU."""
    return ask()


@fix("right-number", control="second-gpu-of-one", **CUDA_BUILD | SECOND_OF_ONE)
def first_gpu_of_one() -> dict[str, Any]:
    """The variable names the GPU that is there."""
    return run(number=True)


@fix("right-number", control="variable-is-empty", **CUDA_BUILD | ONE_GPU)
def variable_unset() -> dict[str, Any]:
    """Without the variable all are visible."""
    return run()


@fix("under-ray", control="variable-is-empty", **CUDA_BUILD | FIRST_OF_ONE)
def number_given() -> dict[str, Any]:
    """As in an actor that requested a GPU."""
    return run()


@fix("no-nvidia-card", control="no-driver", **CUDA_BUILD | NO_DRIVER)
def on_the_cpu() -> dict[str, Any]:
    """The device that is there."""
    return run(printed=True)


@fix("with-the-driver", control="no-driver", **CUDA_BUILD | ONE_GPU)
def driver_and_gpu() -> dict[str, Any]:
    """The driver is there, with a GPU."""
    return run()


@non_fix("toolkit", control="no-driver", **CUDA_BUILD | NO_DRIVER)
def toolkit_installed() -> dict[str, Any]:
    """Torch finds the toolkit; there is no driver in it."""
    return run(toolkit=True)


@non_fix("toolkit", control="no-gpu", **CUDA_BUILD | NO_GPU)
def toolkit_without_a_gpu() -> dict[str, Any]:
    """Nor is there a GPU in it."""
    return run(toolkit=True)


@non_fix("variable", control="no-gpu", **CUDA_BUILD | NO_GPU)
def variable_set() -> dict[str, Any]:
    """Torch reads the variable; it brings no GPU."""
    return run(number=True)


if __name__ == "__main__":
    main(__file__)
