"""How often the kernel has killed for memory: what no log of the killed process can say."""

from __future__ import annotations

import contextlib
import re
from dataclasses import dataclass, field
from pathlib import Path

_ROOTS = (Path("/sys/fs/cgroup"), Path("/sys/fs/cgroup/memory"), Path("/sys/fs/cgroup/unified"))
_FILES = ("memory.events", "memory.oom_control")
_KILLS = re.compile(r"(?m)^oom_kill (\d+)$")
_MACHINE = Path("/proc/vmstat")
_MOST_GROUPS = 64


@dataclass(slots=True)
class Groups:
    """The counters of the machine, and of the control groups that a run was in."""

    _machine: int | None = field(default_factory=lambda: _kills(_MACHINE))
    _first: dict[Path, int] = field(default_factory=dict)

    def joined(self, pid: int | str = "self") -> None:
        """Take note of the groups that a process is in now."""
        for path in _counters(pid):
            if path not in self._first and len(self._first) < _MOST_GROUPS:
                self._first[path] = _kills(path) or 0

    def killed(self) -> tuple[int | None, int | None]:
        """Return how many processes the kernel killed for memory since then.

        Returns:
            In the run's own groups, and on the machine, where it can be a neighbour's; None
            where there is no counter.
        """
        grown = [
            max(0, now - first)
            for path, first in self._first.items()
            if (now := _kills(path)) is not None
        ]
        now = _kills(_MACHINE)
        known = now is not None and self._machine is not None
        machine = max(0, (now or 0) - (self._machine or 0)) if known else None
        return (max(grown) if grown else None), machine


def _kills(path: Path) -> int | None:
    with contextlib.suppress(OSError):
        found = _KILLS.search(path.read_text("ascii", "replace"))
        return int(found[1]) if found else None
    return None


def _counters(pid: int | str) -> set[Path]:
    found: set[Path] = set()
    with contextlib.suppress(OSError):
        for line in Path(f"/proc/{pid}/cgroup").read_text("utf-8", "replace").splitlines():
            _, controllers, name = (*line.split(":", 2), "", "")[:3]
            if controllers and "memory" not in controllers.split(","):
                continue
            for root in _ROOTS:
                for file in _FILES:
                    path = root / name.lstrip("/") / file
                    # At the root the counter is the machine's.
                    if name.strip("/") and ".." not in path.parts and path.is_file():
                        found.add(path)
    return found
