"""An extension such as flash-attn's: compiled beside one torch, imported beside another."""

from __future__ import annotations

import ctypes
import importlib
import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import Any

import torch

NAME = "flash_attn_2_cuda"
TORCH = Path(torch.__file__).parent
MODULE = """
#include <Python.h>
{declared}
static PyObject* forward(PyObject*, PyObject* size) {{ {used} return size; }}
static PyMethodDef methods[] = {{{{"forward", forward, METH_O, nullptr}}, {{nullptr}}}};
static PyModuleDef about = {{PyModuleDef_HEAD_INIT, "flash_attn_2_cuda", nullptr, -1, methods}};
PyMODINIT_FUNC PyInit_flash_attn_2_cuda() {{ return PyModule_Create(&about); }}
"""
QUANTISE = "namespace at { class Tensor; }\nvoid fused_fp4_quant(at::Tensor& out, at::Tensor& in)"
ZEROS = [f"c10/core/{name}" for name in ("DispatchKeySet", "SymIntArrayRef", "ScalarType")]
ZEROS += ["c10/core/Layout", "c10/core/Device", "ATen/core/ATen_fwd", "ATen/ops/zeros_ops"]
PARTS = {  # what is declared, and how it is used
    "check": ("#include <c10/util/Exception.h>", 'TORCH_CHECK(size, "head dimension ", size);'),
    "zeros": (
        "".join(f"#include <{name}.h>\n" for name in ZEROS),
        "static void* volatile used = (void*)&at::_ops::zeros::call; (void)used;",
    ),
    "device": ("namespace c10::cuda { void SetDevice(int); }", "c10::cuda::SetDevice(0);"),
    "own": (f"{QUANTISE};", "static void* volatile used = (void*)&fused_fp4_quant; (void)used;"),
}


def source(part: str) -> str:
    """Return the extension's source."""
    declared, used = PARTS[part]
    return MODULE.format(declared=declared, used=used)


def compile_it(code: str, target: str, *, headers: str = "", new_strings: int = 1) -> None:
    """Compile it, with headers of another torch before those that are installed."""
    Path("extension.cpp").write_text(code)
    folders = [headers or TORCH / "include", TORCH / "include", sysconfig.get_path("include")]
    flags = [f"-I{folder}" for folder in folders] + [f"-D_GLIBCXX_USE_CXX11_ABI={new_strings}"]
    linked = [f"-L{TORCH / 'lib'}", "-lc10", "-ltorch_cpu", "-o", target]
    command = ["g++", "-shared", "-fPIC", "-std=c++20", *flags, "extension.cpp", *linked]
    subprocess.run(command, check=True)


def import_it(first: str = "") -> Any:
    """Import it, beside the torch that is installed."""
    if first:  # what `import transformer_engine` does for its extension
        ctypes.CDLL(first, ctypes.RTLD_GLOBAL)
    sys.path.insert(0, ".")
    return importlib.import_module(NAME)
