"""Which packages a run uses: from the folders that its processes have mapped libraries of."""

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

_SITE = re.compile(r"(/\S.*?/(?:site|dist)-packages)/")
_OF_ONE = re.compile(r"(.+)-([^-]+)\.dist-info$")
_MOST_PROCESSES, _MOST_BYTES = 16, 4 * 1024 * 1024


@dataclass(slots=True)
class Inside:
    """The Python environments of one run."""

    _sites: set[str] = field(default_factory=set)
    _met: set[int] = field(default_factory=set)
    _read: set[int] = field(default_factory=set)

    def look(self, pids: Iterable[int]) -> None:
        """Read the maps of processes that were there at an earlier look: they have begun."""
        for pid in pids:
            if pid not in self._met:
                self._met.add(pid)
            elif pid not in self._read and len(self._read) < _MOST_PROCESSES:
                self._read.add(pid)
                with contextlib.suppress(OSError), Path(f"/proc/{pid}/maps").open("rb") as maps:
                    text = maps.read(_MOST_BYTES).decode("utf-8", "replace")
                    self._sites |= set(_SITE.findall(text))

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
