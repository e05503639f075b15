"""A script that builds an operator as it starts, from an environment that has ninja."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from torch.utils.cpp_extension import BuildExtension, load

SOURCE = """
#include <Python.h>
static PyModuleDef definition = {PyModuleDef_HEAD_INIT, "kernel", nullptr, -1, nullptr};
PyMODINIT_FUNC PyInit_kernel() { return PyModule_Create(&definition); }
"""


def sources() -> list[str]:
    """Write an operator of two files."""
    Path("kernel.cpp").write_text(SOURCE, "utf-8")
    Path("more.cpp").write_text("int more() { return 1; }", "utf-8")
    return ["kernel.cpp", "more.cpp"]


def build() -> Any:
    """Compile it when it is needed, as xLSTM, RWKV and many others do."""
    Path("extensions").mkdir()
    return load("kernel", sources(), build_directory="extensions")


def install() -> Any:
    """Compile it as ``pip install`` has setup.py do, and return the command that did."""
    from setuptools import Extension, setup

    done = setup(
        name="kernel",
        ext_modules=[Extension("kernel", sources(), language="c++")],
        cmdclass={"build_ext": BuildExtension},
        script_args=["-q", "build_ext", "--build-lib", "built"],
    )
    return done.get_command_obj("build_ext")


def optimizer() -> Any:
    """Let DeepSpeed compile an operator of its own."""
    import torch
    from deepspeed.ops.adam import DeepSpeedCPUAdam

    return DeepSpeedCPUAdam([torch.nn.Parameter(torch.zeros(4))])
