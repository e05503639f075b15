"""The same calls with torch's build for CUDA; imported before torch is."""

from __future__ import annotations

import os
from typing import Any

from fixbook.recipe import detect, fix
from fixbook.recipe.helpers import stand_in_cuda

if os.environ.get("STAND_IN_DRIVER"):
    stand_in_cuda(int(os.environ["STAND_IN_DRIVER"]), gpus=1)

from failure import choose_the_gpu
from proof_build import build

CUDA_BUILD: dict[str, Any] = {
    "versions": ["torch==2.11.0", "nvidia-cuda-runtime==13.0.96"],
    "env": {"STAND_IN_DRIVER": "13000"},
    "import_first": "proof_cuda",
    "start": "cold",
    "record_once": "torch's build for CUDA is a download of half a gigabyte",
}


@fix("cuda-build", control="set-device", **CUDA_BUILD)
def set_device_with_the_cuda_build() -> dict[str, Any]:
    """The release from PyPI is built for CUDA; it finds the GPU that stands in."""
    return choose_the_gpu()


@detect(found=False, control="asks-the-cpu-build", **CUDA_BUILD)
def asks_the_cuda_build() -> dict[str, Any]:
    """The page's check accepts it."""
    return build()
