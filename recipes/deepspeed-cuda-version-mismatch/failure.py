"""What compiles DeepSpeed's operators: its setup.py, and its optimizer on the CPU."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from deepspeed.ops.op_builder.fused_adam import FusedAdamBuilder


def precompiled() -> Any:
    """Describe an operator: what DeepSpeed's setup.py does with DS_BUILD_FUSED_ADAM=1."""
    return FusedAdamBuilder().builder()


def build(extension: Any) -> None:
    """Compile it, as setup.py does next; a source without content takes the operator's place."""
    from setuptools import setup
    from torch.utils.cpp_extension import BuildExtension

    Path("kernel.cu").write_text("", "utf-8")
    extension.sources = ["kernel.cu"]
    setup(
        name="deepspeed",
        packages=[],
        ext_modules=[extension],
        cmdclass={"build_ext": BuildExtension.with_options(use_ninja=False)},  # type: ignore[no-untyped-call]
        script_args=["-q", "build_ext", "--build-lib", "built"],
    )


def at_run_time() -> Any:
    """Compile the operator where a training needs it first."""
    return FusedAdamBuilder().jit_load()


def offload() -> list[str]:
    """Ask how to compile the optimizer on the CPU, on a machine with GPUs."""
    from deepspeed.accelerator.cuda_accelerator import CUDA_Accelerator

    flags: list[str] = CUDA_Accelerator().create_op_builder("CPUAdamBuilder").cxx_args()
    return flags
