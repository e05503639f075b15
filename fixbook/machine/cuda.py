"""CUDA three times over: what the driver offers, what is on the disk, which GPUs there are."""

from __future__ import annotations

import ctypes
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fixbook import nvidia_smi
from fixbook.machine.bounded import Unknown
from fixbook.machine.software import major

if TYPE_CHECKING:
    from collections.abc import Sequence

_FIELDS = ("name", "memory.total", "driver_version", "compute_cap")
_KERNEL_MODULE = Path("/proc/driver/nvidia/version")
_MOST_GPUS = 64

DRIVER = ("cuda.driver_api", "cuda.driver_major")
MODULE = ("cuda.kernel_module", "gpus.nodes")
LIBRARY = ("cuda.library",)
GPUS = ("gpus.count", "gpus.names", "gpus.memory_mib", "gpus.capabilities", "cuda.driver")
TOOLKIT = ("cuda.home", "cuda.home_by", "cuda.nvcc", "cuda.nvcc_major")
ARCHITECTURES = ("torch.architectures",)


def driver() -> dict[str, Any]:
    """Ask libcuda for the newest CUDA that the driver runs; nothing is initialised."""
    try:
        library = ctypes.CDLL("libcuda.so.1" if sys.platform != "win32" else "nvcuda.dll")
    except OSError:
        return dict.fromkeys(DRIVER)
    number = ctypes.c_int()
    failed = library.cuDriverGetVersion(ctypes.byref(number))
    if failed:
        return dict.fromkeys(DRIVER, Unknown("failed", f"cuDriverGetVersion: {failed}"))
    return {
        "cuda.driver_api": f"{number.value // 1000}.{number.value % 1000 // 10}",
        "cuda.driver_major": number.value // 1000,
    }


def module() -> dict[str, Any]:
    """Read the version of the kernel's module, and count the device files of this container."""
    text = _KERNEL_MODULE.read_text("utf-8", "replace")[:500] if _KERNEL_MODULE.exists() else ""
    found = re.search(r"\b\d{3}\.\d{1,4}(?:\.\d{1,4})?\b", text)
    nodes = [path for path in Path("/dev").glob("nvidia[0-9]*") if path.name[6:].isdigit()]
    return {"cuda.kernel_module": found[0] if found else None, "gpus.nodes": len(nodes)}


def library() -> dict[str, Any]:
    """Load libnvidia-ml as nvidia-smi does, and read its release from the name of the file."""
    try:
        ctypes.CDLL("libnvidia-ml.so.1")
    except OSError:
        return {"cuda.library": None}
    maps = Path("/proc/self/maps").read_text("utf-8", "replace")
    found = re.search(r"libnvidia-ml\.so\.(\d{3}(?:\.\d{1,4}){1,2})", maps)
    if not found:  # as on WSL, where one file serves whatever Windows has
        return {"cuda.library": Unknown("failed", "the name of libnvidia-ml has no release")}
    return {"cuda.library": found[1]}


def gpus() -> dict[str, Any]:
    """Ask nvidia-smi for the GPUs."""
    if not shutil.which("nvidia-smi"):
        if module()["gpus.nodes"]:
            return dict.fromkeys(GPUS, Unknown("failed", "nvidia-smi is not on PATH"))
        return {**dict.fromkeys(GPUS), "gpus.count": 0}
    for fields in (_FIELDS, _FIELDS[:-1]):  # drivers before 510 know no compute_cap
        try:
            rows = nvidia_smi.query(fields, timeout_s=14)[:_MOST_GPUS]
        except nvidia_smi.SmiError as error:
            said = str(error)[:150]
        else:
            return _gpus(rows, with_capabilities=fields == _FIELDS)
    return dict.fromkeys(GPUS, Unknown("failed", f"nvidia-smi: {said}"))


def _gpus(rows: Sequence[Sequence[str]], *, with_capabilities: bool) -> dict[str, Any]:
    return {
        "gpus.count": len(rows),
        "gpus.names": [row[0] for row in rows],
        "gpus.memory_mib": [int(row[1]) if row[1].isdigit() else None for row in rows],
        "gpus.capabilities": [row[3] for row in rows] if with_capabilities else None,
        "cuda.driver": rows[0][2] if rows else None,
    }


def toolkit() -> dict[str, Any]:
    """Look for a toolkit as `torch.utils.cpp_extension` does, and ask its compiler."""
    where, by = _home()
    if where is None:
        return dict.fromkeys(TOOLKIT)
    nvcc = where / "bin" / "nvcc"
    version = None
    if nvcc.is_file():
        command = [str(nvcc), "--version"]
        said = subprocess.run(command, capture_output=True, text=True, timeout=8, check=False)
        found = re.search(r"release (\d+\.\d+)", said.stdout)
        version = found[1] if found else None
    return {
        "cuda.home": str(where),
        "cuda.home_by": by,
        "cuda.nvcc": version,
        "cuda.nvcc_major": major(version),
    }


def _home() -> tuple[Path | None, str | None]:
    for name in ("CUDA_HOME", "CUDA_PATH"):
        if value := os.environ.get(name):
            return Path(value), name
    if nvcc := shutil.which("nvcc"):
        return Path(nvcc).parent.parent, "nvcc"
    usual = Path("/usr/local/cuda")
    return (usual, str(usual)) if usual.exists() else (None, None)


def architectures() -> dict[str, Any]:
    """Import torch in a process of its own for the architectures that its wheel was built for."""
    code = "import torch; print(torch._C._cuda_getArchFlags())"
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, capture_output=True, text=True, timeout=58, check=False)
    if done.returncode:
        last = done.stderr.strip().rsplit("\n", 1)[-1][:150]
        return {"torch.architectures": Unknown("failed", last)}
    return {"torch.architectures": done.stdout.split()}


def uncovered(
    names: Sequence[str], capabilities: Sequence[str], architectures: Sequence[str]
) -> list[str]:
    """Return the GPUs for which a wheel has neither code nor PTX.

    Args:
        names: Their names.
        capabilities: Of each, such as ``9.0``.
        architectures: Of the wheel, such as ``sm_90`` and ``compute_120``.
    """
    return [
        f"{name} (sm_{capability.replace('.', '')})"
        for name, capability in zip(names, capabilities, strict=False)
        if re.fullmatch(r"\d{1,2}\.\d", capability)
        and not any(_runs(capability, one) for one in architectures)
    ]


def _runs(capability: str, architecture: str) -> bool:
    """Code runs within its major from its minor on, PTX on all that came later."""
    found = re.fullmatch(r"(sm|compute)_(\d{1,2})(\d)(a|f)?", architecture)
    if not found:
        return False
    first, second = map(int, capability.split("."))
    family, minor = int(found[2]), int(found[3])
    if found[4] == "a":  # for this one alone
        return (first, second) == (family, minor)
    if found[1] == "compute":
        return (first, second) >= (family, minor)
    return first == family and second >= minor
