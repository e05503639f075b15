"""An extension that was built for one major version of CUDA, and a program that imports it."""

from __future__ import annotations

import importlib.metadata
import subprocess
import sysconfig
from pathlib import Path

SOURCE = """
#include <Python.h>
int cudaRuntimeGetVersion(int *version);
static PyObject *runtime(PyObject *module, PyObject *nothing) {
  int version = 0;
  cudaRuntimeGetVersion(&version);
  return PyLong_FromLong(version);
}
static PyMethodDef methods[] = {{"runtime", runtime, METH_NOARGS, ""}, {0}};
static PyModuleDef definition = {PyModuleDef_HEAD_INIT, "attention_cuda", 0, -1, methods};
PyMODINIT_FUNC PyInit_attention_cuda(void) { return PyModule_Create(&definition); }
"""
PROGRAM = "import attention_cuda; print(attention_cuda.runtime())"
SET_INSIDE = "import os, sys; os.environ['LD_LIBRARY_PATH'] = sys.argv[1]; "


def runtime(cuda: int) -> Path:
    """Return where pip has put the runtime of a major version of CUDA."""
    package = "nvidia-cuda-runtime" if cuda > 12 else f"nvidia-cuda-runtime-cu{cuda}"
    files = importlib.metadata.files(package) or []
    return Path(str(next(file for file in files if file.name == f"libcudart.so.{cuda}").locate()))


def build(cuda: int) -> None:
    """Compile the extension for a major version of CUDA, as a wheel is."""
    Path("attention_cuda.c").write_text(SOURCE, "utf-8")
    include = f"-I{sysconfig.get_path('include')}"
    command = ["cc", "-shared", "-fPIC", include, "-o", "attention_cuda.so", "attention_cuda.c"]
    subprocess.run([*command, str(runtime(cuda))], check=True)
