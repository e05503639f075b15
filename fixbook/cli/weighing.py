"""How much of the weights has been read, on a terminal: 70 GB take minutes."""

from __future__ import annotations

import sys
import time

from fixbook.text import _

_EVERY_S = 0.5
_GB = 1e9


class Weighing:
    """Says how much was read, on standard error, where that is a terminal."""

    def __init__(self) -> None:
        self._bytes = 0
        self._next = time.monotonic() + _EVERY_S
        self._shown = sys.stderr is not None and sys.stderr.isatty()

    def __call__(self, size: int) -> None:
        """Count what was read.

        Args:
            size: Bytes.
        """
        self._bytes += size
        if self._shown and time.monotonic() >= self._next:
            self._next = time.monotonic() + _EVERY_S
            told = _("{size:.1f} GB of weights read").format(size=self._bytes / _GB)
            sys.stderr.write(f"\r{told}\r")
            sys.stderr.flush()
