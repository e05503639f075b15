"""What is around a training: compilers, network, caches, variables."""

from __future__ import annotations

import itertools
import os
import re
import shutil
import socket
import subprocess
import time
from ipaddress import ip_address
from pathlib import Path
from typing import TYPE_CHECKING, Any

import psutil

from fixbook.hub_cache import hub_cache, hub_home
from fixbook.machine.watched import (
    MORE_VARIABLES,
    VARIABLES,
    extensions,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

_COMMANDS = ("gcc", "g++", "clang", "ninja", "cmake", "git")
_BUILDERS = re.compile(r"ninja|nvcc|cicc|ptxas|cc1plus")
_FRESH = 60.0  # seconds for which a lock may be somebody's who is just starting
_MOST_FOLDERS = 2000
_LEVELS = 3
_KINDS = {"1": "ethernet", "32": "infiniband", "772": "loopback"}
_TRUE = {"1", "on", "yes", "true"}

TOOLS = (*(f"commands.{name}" for name in _COMMANDS), "commands.c_compiler")
NAME = ("network.own_name",)
INTERFACES = ("network.interfaces", "network.infiniband")
HUB = ("hub.offline", "hub.cached_models", "hub.token")
LOCKS = ("extensions.locks", "extensions.builders")
SET = tuple(f"variables.{name}" for name in VARIABLES)


def commands() -> dict[str, Any]:
    """Find compilers and build tools on PATH, with their versions."""
    found: dict[str, Any] = {f"commands.{name}": _version(name) for name in _COMMANDS}
    named = os.environ.get("CC")  # in the order in which triton looks
    found["commands.c_compiler"] = named or next(filter(shutil.which, ("gcc", "clang")), None)
    return found


def _version(name: str) -> str | None:
    """Ask a command for its version; one that cannot run is as good as not there."""
    path = shutil.which(name)
    if not path:
        return None
    try:
        done = subprocess.run(
            [path, "--version"], capture_output=True, text=True, timeout=3, check=True
        )
    except subprocess.TimeoutExpired:
        return "?"
    except (OSError, subprocess.CalledProcessError):
        return None
    found = re.search(r"\d{1,4}(?:\.\d{1,5}){1,3}", done.stdout[:500])
    return found[0] if found else "?"


def own_name() -> dict[str, Any]:
    """Resolve the own host name, as gloo and NCCL do where no interface is named."""
    try:
        listed = socket.getaddrinfo(socket.gethostname(), None)
    except OSError:
        return {"network.own_name": None}
    loopback = all(ip_address(str(one[4][0]).partition("%")[0]).is_loopback for one in listed)
    return {"network.own_name": "loopback" if loopback else "address"}


def interfaces() -> dict[str, Any]:
    """List network interfaces by what they are; their addresses are nobody's business."""
    root = Path("/sys/class/net")
    listed = sorted(root.iterdir())[:64] if root.is_dir() else []
    devices = Path("/sys/class/infiniband")
    return {
        "network.interfaces": [_interface(path) for path in listed],
        "network.infiniband": sorted(path.name for path in devices.iterdir())[:64]
        if devices.is_dir()
        else [],
    }


def _interface(path: Path) -> str:
    kind = _KINDS.get(_line(path / "type"), "other")
    if kind == "ethernet" and not (path / "device").exists():
        kind = "virtual"
    state = _line(path / "operstate")
    return f"{path.name}: {kind}" + (f", {state}" if state in {"up", "down"} else "")


def _line(path: Path) -> str:
    try:
        return path.read_text("ascii", "replace").strip()
    except OSError:
        return ""


def hub() -> dict[str, Any]:
    """Look at the cache of huggingface_hub."""
    offline = any(
        os.environ.get(name, "").lower() in _TRUE
        for name in ("HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE")
    )
    folder = hub_cache()
    models = itertools.islice(folder.glob("models--*"), _MOST_FOLDERS) if folder.is_dir() else ()
    token = os.environ.get("HF_TOKEN") or (hub_home() / "token").is_file()
    return {
        "hub.offline": offline,
        "hub.cached_models": sum(1 for _ in models),
        "hub.token": bool(token),
    }


def locks() -> dict[str, Any]:
    """Find locks in the folder where torch compiles extensions, and whoever is compiling now."""
    now = time.time()
    old = [path for path in _locks(extensions()) if now - path.stat().st_mtime > _FRESH]
    names = (process.info["name"] or "" for process in psutil.process_iter(["name"]))
    return {
        "extensions.locks": sorted({path.parent.name for path in old})[:20],
        "extensions.builders": sorted({name for name in names if _BUILDERS.fullmatch(name)}),
    }


def _locks(root: Path) -> Iterator[Path]:
    if not root.is_dir():
        return
    for folder, inner, files in itertools.islice(os.walk(root), _MOST_FOLDERS):
        if len(Path(folder).relative_to(root).parts) >= _LEVELS:
            inner.clear()
        if "lock" in files:
            yield Path(folder, "lock")


def variables() -> dict[str, Any]:
    """Return the variables that matter, as they are; the report hides secrets."""
    listed = {name: os.environ.get(name) for name in VARIABLES}
    listed |= {
        name: value for name, value in sorted(os.environ.items()) if MORE_VARIABLES.fullmatch(name)
    }
    return {f"variables.{name}": value for name, value in listed.items()}
