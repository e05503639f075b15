"""The machine itself: system, memory, limits, folders, container."""

from __future__ import annotations

import os
import platform
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import psutil

from fixbook.machine.watched import FOLDERS

if TYPE_CHECKING:
    from collections.abc import Sequence

MIB = 1024**2
_CGROUPS = Path("/sys/fs/cgroup")
_KILLS = re.compile(r"(?m)^oom_kill (\d+)$")
_NO_LIMIT = 1 << 60  # what cgroup v1 says where there is none
_LIMITS = {"nofile": 1, "nproc": 1, "memlock": 1024, "as": MIB, "stack": 1024}

SYSTEM = (
    *("system.os", "system.distribution", "system.kernel", "system.architecture", "system.glibc"),
    *("system.cores", "system.container", "system.wsl"),
)
MEMORY = ("memory.total_mib", "memory.available_mib", "memory.swap_mib")
CGROUP = ("memory.limit_mib", "memory.used_mib", "memory.oom_kills")
SHARED = ("shm.total_mib", "shm.free_mib")
LIMITS = (*(f"limits.{name}" for name in _LIMITS), "limits.nofile_hard")
_OF_A_FOLDER = ("total_mib", "free_mib", "inodes_free_percent")


def system() -> dict[str, Any]:
    """Describe the operating system."""
    library, version = platform.libc_ver()
    return {
        "system.os": platform.system(),
        "system.distribution": _distribution(),
        "system.kernel": platform.release(),
        "system.architecture": platform.machine(),
        "system.glibc": version or None if library == "glibc" else None,
        "system.cores": len(os.sched_getaffinity(0))
        if hasattr(os, "sched_getaffinity")
        else os.cpu_count(),
        "system.container": _container(),
        "system.wsl": "microsoft" in platform.release().lower(),
    }


def _distribution() -> str | None:
    try:
        return platform.freedesktop_os_release().get("PRETTY_NAME")
    except OSError:
        return None


def _container() -> str | None:
    if os.environ.get("KUBERNETES_SERVICE_HOST"):
        return "kubernetes"
    if os.environ.get("APPTAINER_CONTAINER") or os.environ.get("SINGULARITY_CONTAINER"):
        return "apptainer"
    for path, name in {"/.dockerenv": "docker", "/run/.containerenv": "podman"}.items():
        if Path(path).exists():
            return name
    return os.environ.get("container")  # noqa: SIM112  (podman's and systemd's own name)


def memory() -> dict[str, Any]:
    """Describe the memory of the machine, which a container's limit does not change."""
    seen = psutil.virtual_memory()
    return {
        "memory.total_mib": seen.total // MIB,
        "memory.available_mib": seen.available // MIB,
        "memory.swap_mib": psutil.swap_memory().total // MIB,
    }


def cgroup() -> dict[str, Any]:
    """Read the tightest memory limit of the control groups that this process is in."""
    groups = _groups()
    limits = _numbers(groups, ("memory.max", "memory.limit_in_bytes"))
    limits = [value for value in limits if value < _NO_LIMIT]
    used = _numbers(groups, ("memory.current", "memory.usage_in_bytes"))
    names = ("memory.events", "memory.oom_control")
    events = (_text(folder / name) for folder in groups for name in names)
    kills = [int(found[1]) for text in events if (found := _KILLS.search(text))]
    return {
        "memory.limit_mib": min(limits) // MIB if limits else None,
        "memory.used_mib": used[0] // MIB if used else None,
        "memory.oom_kills": max(kills) if kills else None,
    }


def _groups() -> list[Path]:
    """The process's group and those above it; inside a container the root is its own."""
    named = "/"
    unified = True
    for line in _text(Path("/proc/self/cgroup")).splitlines():
        _, controllers, path = (*line.split(":", 2), "", "")[:3]
        if "memory" in controllers.split(","):
            named, unified = path, False
        elif not controllers and unified:
            named = path
    root = _CGROUPS if unified else _CGROUPS / "memory"
    own = root / named.lstrip("/")
    if ".." in own.parts:
        return [root]
    return [folder for folder in (own, *own.parents) if folder.is_relative_to(root)]


def _numbers(folders: Sequence[Path], names: Sequence[str]) -> list[int]:
    texts = (_text(folder / name).strip() for folder in folders for name in names)
    return [int(text) for text in texts if text.isdigit()]


def _text(path: Path) -> str:
    try:
        return path.read_text("utf-8", "replace")
    except OSError:
        return ""


def shared_memory() -> dict[str, Any]:
    """Measure /dev/shm, through which the workers of a DataLoader and NCCL pass data."""
    path = Path("/dev/shm")  # noqa: S108  (nothing is written)
    if not path.is_dir():
        return dict.fromkeys(SHARED)
    seen = os.statvfs(path)
    return {
        "shm.total_mib": seen.f_blocks * seen.f_frsize // MIB,
        "shm.free_mib": seen.f_bavail * seen.f_frsize // MIB,
    }


def limits() -> dict[str, Any]:
    """Read the soft limits of this process; None is no limit. Memory locked and stack in KiB."""
    try:
        import resource  # noqa: PLC0415  (not on Windows)
    except ImportError:
        return dict.fromkeys(LIMITS)
    found: dict[str, Any] = {}
    for name, unit in _LIMITS.items():
        soft, hard = resource.getrlimit(getattr(resource, f"RLIMIT_{name.upper()}"))
        pair = [None if one == resource.RLIM_INFINITY else one // unit for one in (soft, hard)]
        found[f"limits.{name}"] = pair[0]
        if name == "nofile":
            found["limits.nofile_hard"] = pair[1]
    return found


def keys_of(folder: str) -> tuple[str, ...]:
    """Return the keys of a watched folder."""
    return tuple(f"disks.{folder}.{name}" for name in _OF_A_FOLDER)


def disk(folder: str) -> dict[str, Any]:
    """Measure the file system that a watched folder is on, or will be on once it is made."""
    path = FOLDERS[folder]().absolute()
    while not path.exists() and path != path.parent:
        path = path.parent
    seen = os.statvfs(path)
    read_only = bool(seen.f_flag & os.ST_RDONLY)  # such as the image of a container: always full
    inodes = round(100 * seen.f_favail / seen.f_files, 1) if seen.f_files else None
    values = (
        seen.f_blocks * seen.f_frsize // MIB,
        None if read_only else seen.f_bavail * seen.f_frsize // MIB,
        None if read_only else inodes,
    )
    return dict(zip(keys_of(folder), values, strict=True))
