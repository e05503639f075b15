"""A driver's library that stands in, and what the loader's cache lists, for this process alone."""

from __future__ import annotations

import ctypes
import os
import subprocess
from ctypes.util import find_library
from pathlib import Path

from fixbook.recipe.author.skip import skip
from fixbook.recipe.helpers import private_mount

# What the modules of the releases executed here call; nothing but their names is needed.
CALLED = """
int cuCtxGetCurrent, cuCtxGetDevice, cuCtxGetLimit, cuCtxSetCurrent, cuCtxSetLimit, cuDeviceGet,
    cuDeviceGetAttribute, cuDevicePrimaryCtxRetain, cuDriverGetVersion, cuFuncGetAttribute,
    cuFuncSetAttribute, cuFuncSetCacheConfig, cuGetErrorString, cuLaunchKernel, cuMemAlloc_v2,
    cuMemFree_v2, cuMemcpyHtoD_v2, cuModuleGetFunction, cuModuleLoadData, cuModuleUnload,
    cuOccupancyMaxActiveClusters, cuPointerGetAttribute, cuStreamIsCapturing,
    cuTensorMapEncodeIm2col, cuTensorMapEncodeTiled;
"""
DRIVER = "driver"
_BIND = 0x1000  # MS_BIND


def library(folder: str, name: str = "libcuda.so.1") -> None:
    """Compile the library that only a driver brings; its soname is libcuda.so.1."""
    Path(folder).mkdir(parents=True, exist_ok=True)
    command = ["cc", "-shared", "-fPIC", "-Wl,-soname,libcuda.so.1", "-o", f"{folder}/{name}"]
    subprocess.run([*command, "-xc", "-"], input=CALLED, text=True, check=True)


def cache(folders: list[str]) -> None:
    """Let the loader's cache list these folders, as ldconfig makes it; in this process alone.

    ldconfig notes what it reads in a folder of its own, over which an empty one is mounted.
    """
    if find_library("cuda"):
        skip("this machine has a driver of its own")
    private_mount(1 << 20, "/var/cache/ldconfig")
    conf = "".join(f"{Path(folder).absolute()}\n" for folder in folders)
    Path("ld.so.conf").write_text(conf, "utf-8")
    command = ["/sbin/ldconfig", "-X", "-C", "ld.so.cache", "-f", "ld.so.conf"]
    subprocess.run(command, check=True, capture_output=True)
    libc = ctypes.CDLL(None, use_errno=True)
    made = os.fsencode(Path("ld.so.cache").absolute())
    if libc.mount(made, b"/etc/ld.so.cache", None, _BIND, None):
        skip(f"this machine forbids it: {os.strerror(ctypes.get_errno())}")


def listed() -> list[str]:
    """Return the names under which the cache lists the library."""
    command = ["/sbin/ldconfig", "-p"]
    lines = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    return [line.split()[0] for line in lines if "libcuda.so" in line]


def machine(cached: str, link: str) -> None:
    """Put the library into the folder "driver", after the loader's cache was made.

    Args:
        cached: The folder that held it then, and is listed; "" for none.
        link: A folder that is listed as well, with a link to it, libcuda.so.
    """
    library(cached or DRIVER)
    if link:
        Path(link).mkdir(exist_ok=True)
        (Path(link) / "libcuda.so").symlink_to(Path(DRIVER).absolute() / "libcuda.so.1")
    cache([folder for folder in (cached, link) if folder])
    if cached not in ("", DRIVER):
        Path(DRIVER).mkdir()
        Path(cached, "libcuda.so.1").rename(Path(DRIVER, "libcuda.so.1"))
