"""Which packages a run uses: of the folders that its processes have mapped libraries of.

A process may import for minutes before it maps what tells its folder, and a short one ends before
any look: what its tracebacks name counts as well.
"""

from __future__ import annotations

import contextlib
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from packaging.utils import canonicalize_name

from fixbook.machine.watched import MORE_PACKAGES, PACKAGES

if TYPE_CHECKING:
    from collections.abc import Iterable

_PROCESSES = "/proc"
_SITE = re.compile(r"(/\S.*?/(?:site|dist)-packages)/")
_OF_ONE = re.compile(r"(.+)-([^-]+)\.dist-info$")
_IN_TRACEBACK = re.compile(
    r'^[^\n]{0,200}?\bFile "(/[^"\n]{1,400}?/(?:site|dist)-packages)/', re.MULTILINE
)
_MOST_PROCESSES, _MOST_BYTES, _MOST_READ = 16, 4 * 1024 * 1024, 256 * 1024


@dataclass(slots=True)
class Inside:
    """The Python environments of one run."""

    _sites: set[str] = field(default_factory=set)
    _met: set[int] = field(default_factory=set)
    _looks: dict[int, int] = field(default_factory=dict)
    _told: set[int] = field(default_factory=set)

    def look(self, pids: Iterable[int]) -> None:
        """Read the maps of processes, at each look until they name a folder, then ever more rarely.

        Not at the first look: a process begins as a copy of the one that starts it.
        """
        for pid in pids:
            if pid not in self._met:
                self._met.add(pid)
            elif pid in self._looks or len(self._looks) < _MOST_PROCESSES:
                count = self._looks[pid] = self._looks.get(pid, 0) + 1
                if pid not in self._told or not count & (count - 1):
                    self._read_maps(pid)

    def _read_maps(self, pid: int) -> None:
        with contextlib.suppress(OSError), Path(f"{_PROCESSES}/{pid}/maps").open("rb") as maps:
            found = _SITE.findall(maps.read(_MOST_BYTES).decode("utf-8", "replace"))
            self._sites.update(found)
            self._told |= {pid} if found else set()

    def read(self, logs: Iterable[Path]) -> None:
        """Read the ends of what a run has printed: its tracebacks name the folders, too."""
        for path in logs:
            with contextlib.suppress(OSError), path.open("rb") as file:
                file.seek(max(0, path.stat().st_size - _MOST_READ))
                said = file.read(_MOST_READ).decode("utf-8", "replace")
                self._sites.update(_IN_TRACEBACK.findall(said))

    def versions(self) -> dict[str, str]:
        """Return the versions of the packages that failures are about."""
        found: dict[str, str] = {}
        for site in sorted(self._sites):
            with contextlib.suppress(OSError):
                for path in Path(site).glob("*.dist-info"):
                    named = _OF_ONE.match(path.name)
                    name = canonicalize_name(named[1]) if named else ""
                    if named and (name in PACKAGES or MORE_PACKAGES.fullmatch(name)):
                        found.setdefault(name, named[2])
        return dict(sorted(found.items()))
