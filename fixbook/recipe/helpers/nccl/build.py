"""Compile what stands below NCCL: CUDA's runtime as it asks for it, and libnvidia-ml."""

from __future__ import annotations

import hashlib
import platform
import shutil
import subprocess
import tempfile
from pathlib import Path

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
    known = hashlib.sha256()
    for source in [*sorted(HERE.glob("*.c")), *sorted(gpu.HERE.glob("*.[ch]")), Path(__file__)]:
        known.update(source.read_bytes())
    folder = cache / known.hexdigest()[:16]
    if not folder.is_dir():
        folder.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder.parent) as name:
            made = Path(name) / "libraries"
            made.mkdir()
            _compile(made / CALLS, "calls.c", f"-I{gpu.HERE}", '-DREAL=""', "-ldl", "-lpthread")
            _compile(made / NVML, "nvml.c")
            try:
                made.rename(folder)
            except OSError:
                if not folder.is_dir():  # else another process was faster
                    raise
    return folder


def _compile(target: Path, source: str, *options: str) -> None:
    flags = ["-O1", "-w", "-shared", "-fPIC", f"-Wl,-soname,{target.name}", "-o", str(target)]
    subprocess.run(["cc", *flags, str(HERE / source), *options], check=True)
