"""A driver and a GPU that stand in, down to a kernel's launch; imported before torch is.

Nothing is computed. Triton and its assembler compile for the GPU that the stand-in says it is.
"""

from __future__ import annotations

import ctypes
import os
import subprocess
import tempfile
from pathlib import Path

from fixbook.recipe.helpers import stand_in_cuda
from fixbook.recipe.helpers.cuda_driver import SOURCE

# What making a tensor, compiling for it and launching a kernel ask of the runtime and the driver.
MORE = r"""
int launches = 0;
int cudaMalloc(void **memory, size_t size) { *memory = calloc(1, size); return OK; }
int cudaFree(void *memory) { return OK; }
int cudaStreamIsCapturing(void *stream, int *status) { *status = 0; return OK; }
int cudaDeviceSynchronize(void) { return OK; }
int cudaStreamSynchronize(void *stream) { return OK; }
int cudaLaunchKernel(const void *function) { return OK; }
int cudaLaunchKernelExC(const void *function) { return OK; }
int cudaMemcpyAsync(void *to, const void *from, size_t size) { memcpy(to, from, size); return OK; }
int cuDeviceGet(int *device, int number) { *device = number; return OK; }
int cuDeviceGetAttribute(int *value, int what, int device) { *value = 1 << 16; return OK; }
int cuModuleLoad(void **module, const char *file) { *module = (void *)1; return OK; }
int cuModuleLoadData(void **module, const void *code) { *module = (void *)1; return OK; }
int cuModuleGetFunction(void **f, void *module, const char *name) { *f = (void *)1; return OK; }
int cuFuncGetAttribute(int *value, int what, void *function) { *value = 0; return OK; }
int cuCtxGetCurrent(void **context) { *context = (void *)1; return OK; }
int cuDevicePrimaryCtxRetain(void **context) { *context = (void *)1; return OK; }
int cuLaunchKernel(void *function) { launches++; return OK; }
int cuLaunchKernelEx(void *options, void *function) { launches++; return OK; }
int cuGetErrorString(int error, const char **text) { *text = "stand-in"; return OK; }
int cuPointerGetAttribute(void **value, int what, size_t at) { *value = (void *)at; return OK; }
int cuCtxSetCurrent, cuCtxGetLimit, cuCtxSetLimit, cuFuncSetAttribute, cuFuncSetCacheConfig,
    cuOccupancyMaxActiveClusters, cuTensorMapEncodeTiled, cuTensorMapEncodeIm2col;
"""


def driver(capability: str) -> ctypes.CDLL:
    """Compile and load a driver with one GPU of this compute capability, such as "9"."""
    file = Path(tempfile.mkdtemp()) / "libcuda.so.1"
    named = SOURCE.replace("[90] = 9;", f"[90] = {capability};")
    command = ["cc", "-shared", "-fPIC", "-w", "-DDRIVER=13000", "-DGPUS=1"]
    command += ["-Wl,-soname,libcuda.so.1", "-o", str(file), "-xc", "-"]
    subprocess.run(command, input=named + MORE, text=True, check=True)
    os.environ["TRITON_LIBCUDA_PATH"] = str(file.parent)
    return ctypes.CDLL(str(file), ctypes.RTLD_GLOBAL)


def launches() -> int:
    """Return how many kernels Triton's code has handed to the driver."""
    return ctypes.c_int.in_dll(LIBRARY, "launches").value if LIBRARY else 0


LIBRARY = driver(os.environ["STAND_IN_GPU"]) if os.environ.get("STAND_IN_GPU") else None
if LIBRARY:
    stand_in_cuda()
