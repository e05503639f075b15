"""A GPU and a libnvidia-ml that stand in; imported before torch is.

The variables STAND_IN_NVML_INIT, _HANDLE and _PROCESSES are the codes that the library answers to
the three things that torch asks of it when memory runs out.
"""

from __future__ import annotations

import ctypes
import os
import subprocess
import tempfile
from pathlib import Path

from fixbook.recipe.helpers import stand_in_gpu
from fixbook.recipe.helpers.gpu.build import HERE

CARD_GIB = 8.0
_NVML = r"""
#include <stdlib.h>
static int code(const char *name) { const char *text = getenv(name); return text ? atoi(text) : 0; }
int nvmlInit_v2(void) { return code("STAND_IN_NVML_INIT"); }
int nvmlDeviceGetHandleByPciBusId_v2(const char *bus, void **device) {
  *device = (void *)1;
  return code("STAND_IN_NVML_HANDLE");
}
int nvmlDeviceGetComputeRunningProcesses(void *device, unsigned *count, void *processes) {
  *count = 0;
  return code("STAND_IN_NVML_PROCESSES");
}
int nvmlDeviceGetNvLinkRemotePciInfo_v2(void) { return 3; }
#ifndef OLDER
int nvmlDeviceGetNvLinkRemoteDeviceType(void) { return 3; }
int nvmlSystemGetCudaDriverVersion_v2(int *version) { *version = 13000; return 0; }
int nvmlDeviceGetGpuFabricInfoV(void) { return 3; }
#endif
"""
# torch looks up functions of the driver together with those of NVML, and calls none of them here.
_LOOKED_UP = [
    "cuMemAddressFree",
    "cuMemAddressReserve",
    "cuMemCreate",
    "cuMemExportToShareableHandle",
    "cuMemGetAllocationGranularity",
    "cuMemImportFromShareableHandle",
    "cuMemMap",
    "cuMemRelease",
    "cuMemSetAccess",
    "cuMemUnmap",
    "cuMemsetD32Async",
    "cuMulticastAddDevice",
    "cuMulticastBindMem",
    "cuMulticastCreate",
    "cuStreamWriteValue32",
]
# Builds for CUDA 12 ask for properties by another name.
_DRIVER = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
static int answers_ok(void) { return 0; }
int cudaGetDeviceProperties_v2(char *properties, int device) {
  int (*same)(char *, int) = (int (*)(char *, int))dlsym(RTLD_DEFAULT, "cudaGetDeviceProperties");
  return same(properties, device);
}
int cudaGetDriverEntryPoint(const char *name, void **found, unsigned long flags, int *status) {
  *found = (void *)answers_ok;
  if (status) *status = 0;
  return 0;
}
int cudaGetDriverEntryPointByVersion(const char *name, void **found, unsigned version,
                                     unsigned long flags, int *status) {
  return cudaGetDriverEntryPoint(name, found, flags, status);
}
"""


def _loaded(name: str, source: str, *options: str) -> None:
    target = Path(tempfile.mkdtemp()) / name
    command = ["cc", "-w", "-shared", "-fPIC", f"-Wl,-soname,{name}", "-o", str(target)]
    subprocess.run([*command, *options, "-xc", "-", "-ldl"], input=source, text=True, check=True)
    ctypes.CDLL(str(target), ctypes.RTLD_GLOBAL)


if os.environ.get("STAND_IN_NVML"):
    older = ["-DOLDER"] if os.environ["STAND_IN_NVML"] == "older" else []
    _loaded("libnvidia-ml.so.1", _NVML, *older)
    calls = "\n".join(f"int {name}(void) {{ return 0; }}" for name in _LOOKED_UP)
    _loaded("libcuda.so.1", f'{_DRIVER}#include "{HERE / "driver.c"}"\n{calls}')
    stand_in_gpu(gpu_gib=CARD_GIB, values=False)
