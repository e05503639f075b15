"""A setup.py with a CUDA extension, as flash-attn, Apex and many others have it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

KERNEL = """
#include <cuda_fp16.h>
extern "C" __global__ void twice(half *x) { *x = __hadd(*x, *x); }
"""


def extension() -> Any:
    """Describe the extension: what setup.py does first, before anything is compiled."""
    from torch.utils.cpp_extension import CUDAExtension

    Path("kernel.cu").write_text(KERNEL, "utf-8")
    return CUDAExtension("kernel", ["kernel.cu"])


def build() -> Any:
    """Compile it."""
    from setuptools import setup
    from torch.utils.cpp_extension import BuildExtension

    return setup(
        name="kernel",
        ext_modules=[extension()],
        cmdclass={"build_ext": BuildExtension},
        script_args=["-q", "build_ext"],
    )


def deepspeed_asks() -> Any:
    """Ask for the toolkit's version, as DeepSpeed does before it compiles for a GPU."""
    from deepspeed.ops.op_builder.builder import installed_cuda_version

    return installed_cuda_version()


def import_deepspeed() -> str:
    """Import DeepSpeed, as a training script does that compiles nothing."""
    import deepspeed

    return str(deepspeed.__version__)
