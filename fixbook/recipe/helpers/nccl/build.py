"""Compile what stands below NCCL: CUDA's runtime as it asks for it, and libnvidia-ml."""

from __future__ import annotations

import platform
import shutil
from pathlib import Path

from fixbook.recipe.helpers.compiled import compile_library, kept, key_of
from fixbook.recipe.helpers.gpu import build as gpu

HERE = Path(__file__).parent
CALLS, NVML = "libcalls.so", "libnvidia-ml.so.1"


def stand_in_below_nccl(cache: Path) -> Path:
    """Return a folder with both libraries, compiling them if need be.

    Args:
        cache: Where such folders are kept.

    Raises:
        NoStandInError: There is no compiler, or the processor is another than x86-64.
        subprocess.CalledProcessError: The compiler refused; its message has been printed.
    """
    if platform.machine() != "x86_64":
        raise gpu.NoStandInError(f"the jumps are written for x86-64, not for {platform.machine()}")
    if not shutil.which("cc"):
        raise gpu.NoStandInError("cc is not installed")
    sources = [*sorted(HERE.glob("*.c")), *sorted(gpu.HERE.glob("*.[ch]")), Path(__file__)]
    return kept(cache, key_of(sources), _compile_both)


def _compile_both(folder: Path) -> None:
    below_torch = (f"-I{gpu.HERE}", '-DREAL=""', "-ldl", "-lpthread")
    compile_library(folder / CALLS, HERE / "calls.c", *below_torch)
    compile_library(folder / NVML, HERE / "nvml.c")
