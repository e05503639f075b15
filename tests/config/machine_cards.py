"""Stand-ins for a driver, a toolkit, a GPU and a torch that was built for one; see `machines`."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.config.machine_state import ROOT, State, metadata, script

# Where CUDA's own runtime may be, to ask it about the stand-in for a driver.
_RUNTIMES = (
    "/usr/local/cuda-13*/targets/*/lib/libcudart.so.13",
    "/usr/local/cuda*/lib64/libcudart.so.13",
)


def _cuda_torch(folder: Path, architectures: str = "") -> dict[str, str]:
    """A torch that says it was built for CUDA 13.0, for the report alone."""
    metadata(folder / "path", "torch", "2.13.0")
    package = folder / "path" / "torch"
    package.mkdir()
    (package / "version.py").write_text("__version__ = '2.13.0+cu130'\ncuda = '13.0'\n", "utf-8")
    (package / "__init__.py").write_text("from torch import _C\n", "utf-8")
    flags = f"def _cuda_getArchFlags():\n    return {architectures!r}\n"
    (package / "_C.py").write_text(flags, "utf-8")
    return {"PYTHONPATH": f"{folder / 'path'}{os.pathsep}{ROOT}"}


_CHECKS_NVCC = (
    "import torch, torch.utils.cpp_extension as e; torch.version.cuda = '13.0';"
    "e.CUDA_HOME = e._find_cuda_home(); e._check_cuda_version('g++', e.TorchVersion('12.2'))"
)


def nvcc(folder: Path, version: str) -> State:
    home = folder / "cuda"
    home.mkdir()
    if version:
        script(home, "bin/nvcc", f"Cuda compilation tools, release {version}, V{version}.48")
    return State(_CHECKS_NVCC, {"CUDA_HOME": str(home)}, look=_cuda_torch(folder))


def driver(folder: Path, failing: bool) -> State:  # noqa: FBT001
    runtime = next((path for one in _RUNTIMES for path in sorted(Path("/").glob(one[1:]))), None)
    if runtime is None:
        pytest.skip("there is no CUDA runtime here to ask about the driver")
    source = folder / "libcuda.c"
    version = 12080 if failing else 13000
    source.write_text(f"int cuDriverGetVersion(int *v) {{ *v = {version}; return 0; }}\n", "utf-8")
    library = folder / "libcuda.so.1"
    command = ["cc", "-shared", "-fPIC", "-o", str(library), str(source)]
    subprocess.run(command, check=True)
    tool = (
        f"import ctypes; c = ctypes.CDLL({str(runtime)!r}); n = ctypes.c_int()\n"
        "c.cudaGetErrorString.restype = ctypes.c_char_p\n"
        "print(c.cudaGetErrorString(c.cudaGetDeviceCount(ctypes.byref(n))).decode())"
    )
    return State(tool, {"LD_LIBRARY_PATH": str(folder)}, look=_cuda_torch(folder))


def gpu(folder: Path, failing: bool) -> State:  # noqa: FBT001
    listed = "sm_80 sm_90" if failing else "sm_80 sm_90 sm_120"
    smi = script(folder, "bin/nvidia-smi", "NVIDIA Made Up, 32768, 580.65.06, 12.0")
    tool = (
        "import torch, torch.cuda as c; torch.version.cuda = '13.0'\n"
        f"c.get_arch_list = lambda: {listed.split()!r}; c.device_count = lambda: 1\n"
        "c.get_device_capability = lambda *_: (12, 0); c.get_device_name = lambda *_: 'Made Up'\n"
        "c._check_capability()"
    )
    env = {"PATH": f"{smi.parent}{os.pathsep}{os.environ['PATH']}"}
    return State(tool, env, look=_cuda_torch(folder, listed))


_REFUSES = r"""
#include <stdio.h>
#include <string.h>
int nvmlInit_v2(void) {
  char said[300] = "";
  FILE *file = fopen("/proc/driver/nvidia/version", "r");
  if (file) said[fread(said, 1, sizeof said - 1, file)] = 0;
  return strstr(said, RELEASE) ? 0 : 18;
}
const char *nvmlErrorString(int code) {
  return code == 18 ? "Driver/library version mismatch" : "Success";
}
"""
_MODULE = """
import pathlib
from fixbook.recipe.helpers import private_mount
private_mount(1 << 20, "/proc/driver")
place = pathlib.Path("/proc/driver/nvidia")
place.mkdir()
(place / "version").write_text("NVRM version: NVIDIA UNIX x86_64 Kernel Module  570.158.01  Fri\\n")
"""


def half_upgraded(folder: Path, failing: bool) -> State:  # noqa: FBT001
    if not shutil.which("cc"):
        pytest.skip("there is no compiler")
    release = "570.195.03" if failing else "570.158.01"
    library = folder / f"libnvidia-ml.so.{release}"
    options = ["-shared", "-fPIC", "-Wl,-soname,libnvidia-ml.so.1", f'-DRELEASE="{release}"']
    command = ["cc", *options, "-o", str(library), "-x", "c", "-"]
    subprocess.run(command, input=_REFUSES, text=True, check=True)
    (folder / "libnvidia-ml.so.1").symlink_to(library.name)
    tool = (
        "import ctypes; nvml = ctypes.CDLL('libnvidia-ml.so.1');"
        "nvml.nvmlErrorString.restype = ctypes.c_char_p;"
        "print(nvml.nvmlErrorString(nvml.nvmlInit_v2()).decode())"
    )
    return State(tool, {"LD_LIBRARY_PATH": str(folder)}, setup=_MODULE)
