"""What needs a GPU or vLLM itself, with a stand-in for just that."""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from fixbook.recipe import detect, fix, snippet_text

# As vLLM does, `serve` runs its engine in a process of its own.
VLLM = f"""#!{sys.executable}
import multiprocessing, os, sys
def engine():
    print("engine has", *sorted(name for name in os.environ if name.startswith("CUDA_")))
if __name__ == "__main__":
    process = multiprocessing.get_context("spawn").Process(target=engine)
    process.start(), process.join()
    print("options", *sys.argv[1:])
"""
# A driver that answers one query as it is told, and says what error 700 is.
LIBCUDA = """
int cuDeviceGet(void) { return 0; }
int cuDeviceGetAttribute(void) { return ANSWER; }
int cuGetErrorString(int code, const char **text)
{ *text = "an illegal memory access was encountered"; return 0; }
"""


def serve(command: str) -> dict[str, Any]:
    """Run a command of Bash with the stand-in for `vllm`, and read what its engine has."""
    Path("vllm").write_text(VLLM, "utf-8")
    Path("vllm").chmod(0o755)
    path = f"{Path.cwd()}:{os.environ['PATH']}"
    outside = {name: value for name, value in os.environ.items() if not name.startswith("CUDA_")}
    done = subprocess.run(
        ["bash", "-euc", command],
        env={**outside, "PATH": path},
        capture_output=True,
        text=True,
        check=True,
    )
    sys.stdout.write(done.stdout)
    runs = [len(line.split()) - 2 for line in done.stdout.splitlines() if "engine" in line]
    return {"found": not runs[0], "runs": runs, "eager": "--enforce-eager" in done.stdout}


@detect(found=True)
def served_plainly() -> dict[str, Any]:
    """The engine has none of the variables."""
    return serve("vllm serve MODEL")


@fix("into-the-process", control="served-plainly")
def served_as_printed() -> dict[str, Any]:
    """The commands of the page: the engine inherits what they export."""
    return serve(snippet_text("serve"))


def query_a_device(answer: int = 700) -> dict[str, Any]:
    """Let Triton's own driver code ask a driver for the properties of its GPU."""
    Path("libcuda.c").write_text(LIBCUDA.replace("ANSWER", str(answer)), "utf-8")
    command = "cc -shared -fPIC -Wl,-soname,libcuda.so.1 -o libcuda.so.1 libcuda.c"
    subprocess.run(command.split(), check=True)
    os.environ.update(TRITON_LIBCUDA_PATH=str(Path.cwd()), TRITON_CACHE_DIR=str(Path.cwd()))
    ctypes.CDLL(str(Path("libcuda.so.1").resolve()))
    sys.setdlopenflags(os.RTLD_LAZY)  # the rest of the driver is not called
    from triton.backends.nvidia.driver import CudaUtils

    error = ""
    try:
        CudaUtils().get_device_properties(0)
    except RuntimeError as raised:
        error = str(raised)
    print("RuntimeError:", error)
    variable = os.environ.get("CUDA_LAUNCH_BLOCKING", "")
    return {"found": "illegal memory access" in error, "error": error, "variable": variable}


@detect(found=True, needs=["triton"], programs=["cc"], start="cold")
def triton_prints_no_hint() -> dict[str, Any]:
    """The driver answers a query with error 700: Triton raises it, in its own words."""
    return query_a_device()


@detect(
    found=False,
    control="triton-prints-no-hint",
    needs=["triton"],
    programs=["cc"],
    start="cold",
)
def triton_finds_nothing() -> dict[str, Any]:
    """The driver answers with success: Triton raises nothing."""
    return query_a_device(answer=0)
