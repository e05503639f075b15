"""On a GPU: where an illegal access is noticed, what names its kernel, and a race."""

from __future__ import annotations

import ctypes
import re
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from fixbook.recipe import measure, snippet_text
from fixbook.recipe.helpers import run_python

KERNEL = Path(__file__).with_name("failure_kernel.py")
# From a file: before Python 3.13 the traceback of code that is given as text has no source lines.
FROM_A_FILE = "import runpy, sys; runpy.run_path(sys.argv[1], run_name='__main__')"
HINT = "For debugging consider passing CUDA_LAUNCH_BLOCKING=1"
NONE: dict[str, str] = {"CUDA_LAUNCH_BLOCKING": "0", "CUDA_ENABLE_COREDUMP_ON_EXCEPTION": "0"}


def dumped() -> dict[str, str]:
    """Return the variables of the core dump that the page offers, dumping into this folder."""
    exports = re.findall(r"(CUDA_\w*COREDUMP\w*)=(\S+)", snippet_text("serve"))
    return {**NONE, **dict(exports), "CUDA_COREDUMP_FILE": "core.cuda"}


def stray_kernel(**variables: str) -> dict[str, Any]:
    """Run the failing program; end as it does, unless something leads to its kernel."""
    done = run_python(FROM_A_FILE, str(KERNEL), env={**NONE, **variables})
    statement = ["", *re.findall("launch$|pinned allocation$", done.stdout, re.MULTILINE)][-1]
    dump = Path("core.cuda").exists()
    measure(statement=statement, hint=HINT in done.stdout, dump=dump)
    if statement != "launch" and not dump:
        sys.exit(abs(done.returncode))
    return {"failed": done.returncode != 0}


def mapped(driver: ctypes.CDLL, size: int = 2 << 20) -> ctypes.c_ulonglong:
    """Map device memory with the driver's virtual memory calls, as vLLM's sleep mode does."""
    place, access = (ctypes.c_int * 8)(1, 0, 1), (ctypes.c_int * 3)(1, 0, 3)  # pinned, on GPU 0
    address, handle, none = (ctypes.c_ulonglong() for _ in range(3))
    size_t, long = ctypes.c_size_t, ctypes.c_size_t(0)
    codes = [
        driver.cuMemAddressReserve(ctypes.byref(address), size_t(size), long, none, none),
        driver.cuMemCreate(ctypes.byref(handle), size_t(size), ctypes.byref(place), none),
        driver.cuMemMap(address, size_t(size), long, handle, none),
        driver.cuMemSetAccess(address, size_t(size), ctypes.byref(access), size_t(1)),
    ]
    if any(codes):
        raise OSError(f"the driver refused to map memory: CUresult {codes}")
    return address


def unmap_under_a_kernel(*, synchronize: bool = False) -> dict[str, Any]:
    """Queue a kernel behind a long one, unmap its memory from the host, then look."""
    import torch

    torch.cuda.init()
    torch.cuda._sleep(1)  # the first launch of a kernel loads it, which could wait for the device
    driver, size = ctypes.CDLL("libcuda.so.1"), 2 << 20
    address = mapped(driver, size)
    interface = {
        "shape": (size // 4,),
        "typestr": "<f4",
        "version": 3,
        "data": (address.value, False),
    }
    tensor = torch.as_tensor(SimpleNamespace(__cuda_array_interface__=interface), device="cuda")
    tensor.fill_(1.0)
    torch.cuda.synchronize()
    torch.cuda._sleep(2_000_000_000)
    tensor.fill_(2.0)
    if synchronize:
        torch.cuda.synchronize()
    driver.cuMemUnmap(address, ctypes.c_size_t(size))
    torch.cuda.synchronize()
    return {"finished": True}
