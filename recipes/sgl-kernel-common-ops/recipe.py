"""SGLang's kernels are installed and do not load: the loader's own words say why."""
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

import proof_card  # isort: skip  (before torch)
from failure import load

from fixbook.recipe import detect, fix, main, measure, non_fix, reproduce, snippet

STAND_IN: dict[str, Any] = {
    "import_first": "proof_card",
    "programs": ["cc", "nm", "readelf"],
    "start": "cold",
    "record_once": "torch's build for CUDA and SGLang's kernels are downloads of a gigabyte",
}
RUNTIME = "nvidia-cuda-runtime==13.0.96"
APART: dict[str, Any] = {"versions": ["torch==2.11.0", "sglang-kernel==0.4.10", RUNTIME]}
OLDER: dict[str, Any] = {"versions": ["torch==2.11.0", "sglang-kernel==0.4.3", RUNTIME]}
OLDER_APART: dict[str, Any] = {"versions": ["torch==2.14.1", "sglang-kernel==0.4.3", RUNTIME]}
TOGETHER: dict[str, Any] = {"versions": ["torch==2.14.1", "sglang-kernel==0.4.10", RUNTIME]}
HOPPER: dict[str, Any] = {"env": {"STAND_IN_CARD": "90"}}
AMPERE: dict[str, Any] = {"env": {"STAND_IN_CARD": "86"}}
CPU_BUILD: dict[str, Any] = {
    "versions": ["sglang-kernel==0.4.10"],
    "import_first": "proof_card",
    "start": "cold",
    "record_once": "SGLang's kernels are a download of a third of a gigabyte",
}
NO_DRIVER: dict[str, Any] = {"env": {"STAND_IN_CARD": "none"}}


def ask() -> dict[str, Any]:
    """Run the page's check."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        done = snippet("wants")
    return {"found": done["have"] not in done["wants"], "said": printed.getvalue().strip()}


@reproduce(**STAND_IN | APART | HOPPER)
def another_torch() -> dict[str, str]:
    """The kernels want a function that this torch does not have."""
    return load()


@reproduce(**STAND_IN | APART | AMPERE)
def another_torch_on_another_card() -> dict[str, str]:
    """The same where the message expects another variant."""
    return load()


@fix("torch", control="another-torch", **STAND_IN | TOGETHER | HOPPER)
def the_torch_it_wants() -> dict[str, str]:
    """The same kernels, the torch that their wheel names."""
    return load()


@fix("torch", control="another-torch-on-another-card", **STAND_IN | TOGETHER | AMPERE)
def the_torch_it_wants_on_another_card() -> dict[str, str]:
    """The variant of all other cards loads, too."""
    return load()


@fix("kernels", control="another-torch", **STAND_IN | OLDER | HOPPER)
def the_kernels_for_it() -> dict[str, str]:
    """The same torch, the kernels that were compiled for it."""
    return load()


@reproduce(**CPU_BUILD)
def cpu_build() -> dict[str, str]:
    """A torch for the CPU brings no library of CUDA."""
    return load()


@fix("library", control="cpu-build", **STAND_IN | TOGETHER | HOPPER)
def cuda_build() -> dict[str, str]:
    """A torch for CUDA 13."""
    return load()


@reproduce(**STAND_IN | TOGETHER | NO_DRIVER)
def no_driver() -> dict[str, str]:
    """As in a container that was given no GPU."""
    return load()


@fix("driver", control="no-driver", **STAND_IN | TOGETHER | HOPPER)
def driver_there() -> dict[str, str]:
    """As in a container with a GPU."""
    return load()


@reproduce(**STAND_IN | OLDER_APART | HOPPER)
def named_by_none() -> dict[str, str]:
    """Kernels whose wheel names no torch, beside a later one."""
    measure(**ask())
    return load()


@non_fix("reinstall", control="another-torch", **STAND_IN | APART | HOPPER)
def installed_again() -> dict[str, str]:
    """What installing again would bring: the wheel's own files."""
    measure(as_in_the_wheel=proof_card.as_in_the_wheel())
    return load()


@detect(found=True, **STAND_IN | APART | HOPPER)
def asks_beside_another_torch() -> dict[str, Any]:
    """The wheel names another torch."""
    return ask()


@detect(found=False, control="asks-beside-another-torch", **STAND_IN | TOGETHER | HOPPER)
def asks_beside_its_torch() -> dict[str, Any]:
    """The wheel names this one."""
    return ask()


if __name__ == "__main__":
    main(__file__)
