"""The values that a run prints, read while it runs and judged by exact rules."""

from __future__ import annotations

import contextlib
import os
import re
from typing import TYPE_CHECKING

from fixbook.run_files.console import row_in
from fixbook.run_files.rules import Rules

if TYPE_CHECKING:
    from fixbook.run_files.finding import Finding

_CHUNK = 64 * 1024
_MOST_AT_ONCE = 1024 * 1024
_MOST_LINE = 16 * 1024
_ENDS = re.compile(rb"[\r\n]")


class Values:
    """Reads what the relay offers; it offers no more than was read."""

    def __init__(self, source: int) -> None:
        """Begin.

        Args:
            source: Where to read; nothing waits there.
        """
        self.found: list[Finding] = []
        self.rows = 0
        self._source = source
        self._rules = Rules("stdout")
        self._rest = b""

    def look(self) -> list[Finding]:
        """Read what is there; return what has become certain by it."""
        fresh: list[Finding] = []
        for line in self._lines():
            row = row_in(line)
            if row is not None:
                self.rows += 1
                fresh += self._rules.add(row)
        self.found += fresh
        return fresh

    def end(self) -> list[Finding]:
        """Read the rest; return what is certain only now that the run is over, too."""
        fresh = self.look()
        said = {one.rule for one in self.found}
        last = [one for one in self._rules.end() if one.rule not in said]
        self.found += last
        return fresh + last

    def _lines(self) -> list[str]:
        data = self._rest
        with contextlib.suppress(OSError):  # nothing more for now
            while len(data) < _MOST_AT_ONCE and (part := os.read(self._source, _CHUNK)):
                data += part
        *lines, self._rest = _ENDS.split(data)
        self._rest = self._rest[-_MOST_LINE:]
        return [line.decode("utf-8", "replace") for line in lines if line]
