"""Compile a wkv kernel for the host, with AddressSanitizer watching what it reads and writes."""

from __future__ import annotations

import ctypes
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from torch import Tensor

HERE = Path(__file__).parent
OURS = HERE / "wkv.cpp"
MAX_TOKENS = 1024
LAUNCH = re.compile(r"(\w+)<<<(\w+), (\w+)>>>\((.*?)\);")
WATCHED = ("-g", "-O1", "-fsanitize=address", "-fno-omit-frame-pointer")
# Short stacks and a small quarantine: the rest of the process is not what is being looked at.
OPTIONS = "detect_leaks=0:print_legend=0:malloc_context_size=4:quarantine_size_mb=1"
NAMES = ("w", "u", "k", "v", "y", "gy", "gw", "gu", "gk", "gv")


class HostKernel:
    """A compiled `wkv_backward`: it writes wherever its indices lead."""

    max_seq_length = MAX_TOKENS

    def __init__(self, source: Path) -> None:
        library = Path("wkv.so").resolve()
        command = [compiler(), "-shared", "-fPIC", *WATCHED, f"-I{HERE}", "-o", library, source]
        subprocess.run(command, check=True)
        self._function = ctypes.CDLL(str(library)).wkv_backward

    def backward(self, *tensors: Tensor) -> None:
        """Call it as transformers' glue does: sizes from the key, bare pointers for the rest."""
        key = tensors[2]
        self._function(*key.shape, *(ctypes.c_void_p(tensor.data_ptr()) for tensor in tensors))


def compiler() -> str:
    """Return the path of g++, or say what is missing."""
    found = shutil.which("g++")
    if not found:
        raise RuntimeError("this step needs g++, which is not installed (apt-get install g++)")
    return found


def start_again_under_sanitizer() -> None:
    """Replace this process by one that loads AddressSanitizer first, as it insists on."""
    if "ASAN_OPTIONS" in os.environ:
        return
    runtime = " ".join(_library(name) for name in ("libasan.so", "libstdc++.so"))
    sys.stdout.flush()
    watched = {**os.environ, "LD_PRELOAD": runtime, "ASAN_OPTIONS": OPTIONS}
    os.execve(sys.executable, sys.orig_argv, watched)  # noqa: S606


def _library(name: str) -> str:
    command = [compiler(), f"-print-file-name={name}"]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


def shipped_source(transformers: Path) -> Path:
    """Make transformers' wkv_cuda.cu compile as C++: launches become calls, nothing else changes.

    Args:
        transformers: Folder of the installed package.
    """
    cuda = (transformers / "kernels/rwkv/wkv_cuda.cu").read_text(encoding="utf-8")
    text, launches = LAUNCH.subn(r"launch(\2, \3, [&] { \1(\4); });", cuda)
    if launches != 3:
        raise RuntimeError(f"expected 3 kernel launches in wkv_cuda.cu, found {launches}")
    parameters = ", ".join(["int B", "int T", "int C", *(f"float *{name}" for name in NAMES)])
    source = Path("wkv_cuda.cpp")
    source.write_text(
        f'#define Tmax {MAX_TOKENS}\n#include "cuda_on_host.h"\n{text}\n'
        f'extern "C" void wkv_backward({parameters})\n'
        f"{{ cuda_backward(B, T, C, {', '.join(NAMES)}); }}\n",
        encoding="utf-8",
    )
    return source
