"""What compiles at run time: a Triton kernel's launcher, and torch.compile on a CPU."""

from __future__ import annotations

from typing import Any

import torch

LAUNCHER = """
#include <Python.h>
static PyModuleDef definition = {PyModuleDef_HEAD_INIT, "launcher", NULL, -1, NULL};
PyMODINIT_FUNC PyInit_launcher(void) { return PyModule_Create(&definition); }
"""


def launch() -> Any:
    """Compile as Triton does before the first kernel of a process runs."""
    from triton.runtime.build import compile_module_from_src

    return compile_module_from_src(LAUNCHER, "launcher").__name__


def compiled(x: torch.Tensor) -> torch.Tensor:
    """Run a function that torch.compile is to compile."""
    return torch.compile(lambda x: torch.sin(x) * 2)(x)
