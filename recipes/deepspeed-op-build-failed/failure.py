"""A script that compiles an operator of two files as it starts, and DeepSpeed, which does too."""

from __future__ import annotations

from pathlib import Path
from typing import Any

SOURCE = """
#include <Python.h>
#include "kernel_config.h"
int more();
static PyModuleDef definition = {PyModuleDef_HEAD_INIT, "kernel", nullptr, -1, nullptr};
PyMODINIT_FUNC PyInit_kernel() {
  PyObject* module = PyModule_Create(&definition);
  PyModule_AddIntConstant(module, "version", VERSION + more());
  return module;
}
"""
MORE = """
#include <optional>
int more() { return std::optional<int>(0).value(); }
"""


def build(*, version: int = 1, flags: str = "", links: str = "", verbose: bool = False) -> Any:
    """Compile it, or take what was compiled before, and import it."""
    from torch.utils.cpp_extension import load

    Path("kernel.cpp").write_text(SOURCE.replace("VERSION", str(version)), "utf-8")
    Path("more.cpp").write_text(MORE, "utf-8")
    return load(
        "kernel",
        ["kernel.cpp", "more.cpp"],
        extra_cflags=flags.split(),
        extra_ldflags=links.split(),
        verbose=verbose,
    )


def optimizer() -> Any:
    """Let DeepSpeed compile an operator of its own."""
    import torch
    from deepspeed.ops.adam import FusedAdam

    return FusedAdam([torch.nn.Parameter(torch.zeros(4))])
