"""Unsloth finds no GPU that torch can use: it raises, or it trains on the CPU."""
# /// script
# requires-python = ">=3.11"
# dependencies = [
#     "fixbook", "torch==2.13.0", "transformers==5.23.0", "peft==0.21.2", "accelerate==1.15.0",
# ]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

import contextlib
import io
import os
from typing import Any

import proof_machine  # isort: skip  (before torch)
from failure import look, train

from fixbook.recipe import detect, fix, main, non_fix, reproduce, snippet, snippet_text

_NEW = ["unsloth==2026.10.9", "unsloth_zoo==2026.10.9"]
COLD: dict[str, Any] = {"import_first": "proof_machine", "start": "cold", "timeout_s": 400}
NEW: dict[str, Any] = {"versions": _NEW, **COLD}
OLD: dict[str, Any] = {"versions": ["unsloth==2026.10.8", "unsloth_zoo==2026.10.8"], **COLD}
CUDA: dict[str, Any] = {
    "versions": ["torch==2.11.0", "nvidia-cuda-runtime==13.0.96", *_NEW],
    "env": {"STAND_IN_DRIVER": "1", "STAND_IN_GPU": "1", "UNSLOTH_IS_PRESENT": "1"},
    "programs": ["cc"],
    "record_once": "torch's build for CUDA is a download of half a gigabyte",
    **COLD,
}
DRIVER: dict[str, Any] = {"env": {"STAND_IN_DRIVER": "1"}}
SEARCH: dict[str, Any] = {"env": {"STAND_IN_DRIVER": "1", "UNSLOTH_IS_PRESENT": "1"}}
WITH_SMI: dict[str, Any] = {"env": {"STAND_IN_DRIVER": "1", "STAND_IN_SMI": "1"}}
FIRST: dict[str, Any] = {"env": {"STAND_IN_DRIVER": "1", "CUDA_VISIBLE_DEVICES": "0"}}
HIDDEN: dict[str, Any] = {"env": {"STAND_IN_DRIVER": "1", "CUDA_VISIBLE_DEVICES": ""}}


def exported(name: str) -> None:
    """Set what a snippet of the page exports."""
    variable, value = snippet_text(name).removeprefix("export ").strip().split("=")
    os.environ[variable] = value


def ask() -> dict[str, Any]:
    """Run the page's check."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        snippet("asks")
    said = printed.getvalue().strip()
    return {"found": said.endswith("False"), "said": said}


@reproduce(**NEW | DRIVER)
def a_driver_and_a_torch_for_the_cpu() -> dict[str, Any]:
    """A GPU is there, and this torch cannot use it."""
    return train()


@reproduce(**NEW | WITH_SMI)
def nvidia_smi_sees_it() -> dict[str, Any]:
    """The same where nvidia-smi names the GPU: the last line is another."""
    return train()


@reproduce(**OLD)
def before_the_cpu_backend() -> dict[str, Any]:
    """No GPU, and a release that knows GPUs alone."""
    return train()


@reproduce(**NEW | SEARCH)
def the_search_alone() -> dict[str, Any]:
    """The part that looks for a device, which is what raises."""
    return ask() | look()


@fix("cuda-torch", control="the-search-alone", **CUDA)
def a_torch_for_cuda() -> dict[str, Any]:
    """The same driver, a torch that uses it."""
    return ask() | look()


@fix("on-the-cpu", control="a-driver-and-a-torch-for-the-cpu", **NEW | DRIVER)
def on_the_cpu() -> dict[str, Any]:
    """The CPU is what is wanted."""
    exported("cpu")
    return train()


@fix("newer", control="before-the-cpu-backend", **NEW)
def with_the_cpu_backend() -> dict[str, Any]:
    """The first release that trains on a CPU."""
    return train()


@non_fix("visible", control="a-driver-and-a-torch-for-the-cpu", **NEW | FIRST)
def first_gpu_chosen() -> dict[str, Any]:
    """The variable names a GPU; torch still has no CUDA."""
    return train()


@detect(found=True, **NEW | HIDDEN)
def hidden_gpus() -> dict[str, Any]:
    """The GPUs are hidden from this process, and the training goes on."""
    done = train()
    return done | {"found": done["device"] == "cpu"}


@reproduce(**NEW | HIDDEN)
def hidden_gpus_refused() -> dict[str, Any]:
    """The same with the page's line before the start."""
    exported("refuse")
    return train()


@detect(found=True, **NEW | DRIVER)
def asks_of_a_torch_for_the_cpu() -> dict[str, Any]:
    """A driver, and a torch that cannot use it."""
    return ask()


@detect(found=False, control="asks-of-a-torch-for-the-cpu", **CUDA)
def a_gpu_that_is_used() -> dict[str, Any]:
    """A GPU that torch can use."""
    return ask()


if __name__ == "__main__":
    assert proof_machine
    main(__file__)
