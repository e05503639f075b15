"""What this machine has: processors, memory, GPUs, installed distributions.

Nothing here imports torch; the GPU is asked through ``nvidia-smi``.
"""

from __future__ import annotations

import contextlib
import functools
import importlib.metadata
import os
import platform
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

from fixbook import nvidia_smi

GIB = 1024**3
_FIELDS = ("name", "memory.total", "memory.free", "driver_version")


@dataclass(frozen=True, slots=True)
class Gpu:
    """One GPU as the driver reports it; memory in GiB."""

    name: str
    memory_gib: float
    free_gib: float
    driver: str


@dataclass(frozen=True, slots=True)
class Machine:
    """The machine a run took place on; memory in GiB."""

    cpu: str
    cores: int
    memory_gib: float
    os: str
    python: str
    gpus: tuple[Gpu, ...]

    @property
    def name(self) -> str:
        """Short name for evidence files: ``cpu``, or the GPU's model such as ``h100``."""
        if not self.gpus:
            return "cpu"
        words = re.findall(r"[a-z]*\d+[a-z]*", self.gpus[0].name.lower())
        return words[0] if words else "gpu"


@functools.cache  # reading metadata takes milliseconds, and nothing is installed meanwhile
def installed_version(distribution: str) -> str | None:
    """Return the installed version of a distribution, or None."""
    try:
        return importlib.metadata.version(distribution)
    except importlib.metadata.PackageNotFoundError:
        return None


@functools.cache
def machine() -> Machine:
    """Describe this machine."""
    import psutil  # noqa: PLC0415  (pages ask for releases alone, and it takes milliseconds)

    return Machine(
        cpu=_cpu_name(),
        cores=len(os.sched_getaffinity(0))
        if hasattr(os, "sched_getaffinity")
        else os.cpu_count() or 1,
        memory_gib=round(psutil.virtual_memory().total / GIB, 1),
        os=f"{platform.system()} {platform.machine()}",
        python=platform.python_version(),
        gpus=gpus(),
    )


def hide_gpus() -> None:
    """Make this process, and all that it starts, run as on a machine without a GPU."""
    os.environ["CUDA_VISIBLE_DEVICES"] = ""
    machine.cache_clear()


def gpus() -> tuple[Gpu, ...]:
    """List the NVIDIA GPUs that this process may use, in the driver's order."""
    if os.environ.get("CUDA_VISIBLE_DEVICES") == "":
        return ()
    with contextlib.suppress(nvidia_smi.SmiError, OSError, subprocess.TimeoutExpired):
        return tuple(_gpu(*row) for row in nvidia_smi.query(_FIELDS, timeout_s=20))
    return ()


def _gpu(name: str, total: str, free: str, driver: str) -> Gpu:
    import psutil  # noqa: PLC0415

    host = psutil.virtual_memory()
    return Gpu(name, _gib(total, host.total), _gib(free, host.available), driver)


def _gib(mib: str, of_host: int) -> float:
    """Read a size; the driver names none ("[N/A]") for a GPU that shares the host's memory."""
    return round(int(mib) / 1024 if mib.isdecimal() else of_host / GIB, 1)


def _cpu_name() -> str:
    info = Path("/proc/cpuinfo")
    if info.is_file():
        for line in info.read_text(encoding="utf-8", errors="replace").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()
