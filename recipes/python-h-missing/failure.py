"""What compiles at run time against Python's headers: a Triton launcher, torch.compile on a CPU."""

from __future__ import annotations

from typing import Any

import torch

LAUNCHER = """
#include <Python.h>
static PyModuleDef definition = {PyModuleDef_HEAD_INIT, "launcher", NULL, -1, NULL};
PyMODINIT_FUNC PyInit_launcher(void) { return PyModule_Create(&definition); }
"""


def launch() -> dict[str, Any]:
    """Compile as Triton does before the first kernel of a process runs."""
    from triton.runtime.build import compile_module_from_src

    return {"result": compile_module_from_src(LAUNCHER, "launcher").__name__}


def compiled() -> dict[str, Any]:
    """Run a function that torch.compile is to compile."""
    double_sine = torch.compile(lambda x: torch.sin(x) * 2)
    return {"result": str(round(double_sine(torch.ones(4)).sum().item(), 3))}
