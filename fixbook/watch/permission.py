"""Why one process may not look into another here, as far as the system says."""

from __future__ import annotations

import contextlib
from pathlib import Path

_YAMA = Path("/proc/sys/kernel/yama/ptrace_scope")
_SELF = Path("/proc/self/status")
_FILTERED = "2"
_SYS_PTRACE = 19


def forbidding() -> str:
    """Return the setting that forbids it; empty where none is known to.

    Yama lets only what is above a process look into it: a tool that we start is beside the run.
    """
    scope = _read(_YAMA).strip()
    if scope.isdigit() and int(scope) and (scope == "3" or not _may_trace()):
        return f"kernel.yama.ptrace_scope={scope}"
    return "seccomp" if _status("Seccomp") == _FILTERED else ""


def _may_trace() -> bool:
    """Whether we have the right that Yama lets through, but for its strictest setting."""
    with contextlib.suppress(ValueError):
        return bool(int(_status("CapEff") or "0", 16) >> _SYS_PTRACE & 1)
    return False


def _status(name: str) -> str:
    for line in _read(_SELF).splitlines():
        key, _, value = line.partition(":")
        if key == name:
            return value.strip()
    return ""


def _read(path: Path) -> str:
    with contextlib.suppress(OSError):
        return path.read_text("ascii", "replace")
    return ""
