"""A build of torch without CUDA: what it says of a GPU, and what it does when nobody asks."""
# /// script
# requires-python = ">=3.11"
# dependencies = ["fixbook", "torch==2.13.0"]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

from typing import Any

import proof_driver  # noqa: F401  # isort: skip  (before torch)
from failure import choose_the_gpu, to_the_gpu, train_where_possible
from proof_build import (
    ask_pip,
    build,
    load_the_runtime,
    needs_the_cpu_build,
    place,
    replace,
)

from fixbook.recipe import detect, fix, main, non_fix, reproduce

CUDA_BUILD: dict[str, Any] = {
    "versions": ["torch==2.11.0", "nvidia-cuda-runtime==13.0.96"],
    "env": {"STAND_IN_DRIVER": "13000"},
    "import_first": "proof_driver",
    "start": "cold",
    "record_once": "torch's build for CUDA is a download of half a gigabyte",
}


def move(*, pip: str = "", runtime: bool = False, any_build: bool = False) -> dict[str, Any]:
    """Follow an advice, then move the model, unless pip replaced torch."""
    if not any_build:
        needs_the_cpu_build()
    if pip == "as printed":
        return {"new": replace()}
    if pip and (new := ask_pip()):
        return {"new": new}
    if runtime:
        load_the_runtime()
    return to_the_gpu()


@reproduce()
def model_to_cuda() -> dict[str, Any]:
    """The model is moved."""
    return move()


@reproduce()
def set_device() -> dict[str, Any]:
    """The GPU is chosen first."""
    needs_the_cpu_build()
    return choose_the_gpu()


@reproduce()
def cuda_written_in() -> dict[str, Any]:
    """The script names the device."""
    needs_the_cpu_build()
    return place()


@detect(found=True)
def asks_the_cpu_build() -> dict[str, Any]:
    """The page's check names the build."""
    needs_the_cpu_build()
    return build()


@detect(found=False, control="asks-the-cpu-build", **CUDA_BUILD)
def asks_the_cuda_build() -> dict[str, Any]:
    """The page's check accepts it."""
    return build()


@fix("cuda-build", control="model-to-cuda")
def replaced() -> dict[str, Any]:
    """The printed commands, in an environment of their own."""
    return move(pip="as printed")


@fix("cuda-build", control="set-device", **CUDA_BUILD)
def set_device_with_the_cuda_build() -> dict[str, Any]:
    """The release from PyPI is built for CUDA; it finds the GPU that stands in."""
    return choose_the_gpu()


@fix("cuda-build", control="model-to-cuda", on="cuda")
def model_to_cuda_on_a_gpu() -> dict[str, Any]:
    """With a GPU and a build for it."""
    return move(any_build=True)


@fix("no-gpu", control="cuda-written-in")
def on_what_is_there() -> dict[str, Any]:
    """The script asks which device there is."""
    needs_the_cpu_build()
    return place(ask=True)


@non_fix("install-over-it", control="model-to-cuda")
def installed_over_it() -> dict[str, Any]:
    """A release that differs in its build alone is there already, as pip sees it."""
    return move(pip="over it")


@non_fix(
    "toolkit",
    control="model-to-cuda",
    versions=["nvidia-cuda-runtime==13.0.96"],
    record_once="CUDA's runtime is a package that this step alone needs",
)
def runtime_installed() -> dict[str, Any]:
    """CUDA's runtime is there and loaded; torch has no code that calls it."""
    return move(runtime=True)


@detect(found=True)
def trains_on_the_cpu() -> dict[str, Any]:
    """Nothing is raised; the check would have said it."""
    needs_the_cpu_build()
    return build() | train_where_possible()


if __name__ == "__main__":
    main(__file__)
