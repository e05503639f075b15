"""Numbers that the relay writes and the watcher reads, without a system call on either side."""

from __future__ import annotations

import mmap
import time

_WORD = 8  # bytes; one aligned word is written at once
_TOTAL, _KEPT_OUT, _UNREAD = range(3)
_FIRST, _LAST, _GAP = range(3, 6)


class Tally:
    """What passed through the relay, in memory that two processes share."""

    def __init__(self) -> None:
        memory = memoryview(mmap.mmap(-1, 6 * _WORD))
        self._counts = memory[: _FIRST * _WORD].cast("Q")
        self._times = memory[_FIRST * _WORD :].cast("d")

    def passed(self, count: int) -> None:
        """Note that the command has printed something."""
        now = time.monotonic()
        first, last = self._times[0], self._times[1]
        if last:
            self._times[2] = max(self._times[2], now - last)
        else:
            self._times[0] = first or now
        self._times[1] = now
        self._counts[_TOTAL] += count

    def kept_out(self, count: int) -> None:
        """Note what the folder did not keep."""
        self._counts[_KEPT_OUT] += count

    def unread(self, count: int) -> None:
        """Note what was copied and not offered to the reader of values."""
        self._counts[_UNREAD] += count

    @property
    def total(self) -> int:
        """Bytes that the command has printed."""
        return self._counts[_TOTAL]

    @property
    def left_out(self) -> int:
        """Bytes that the folder did not keep."""
        return self._counts[_KEPT_OUT]

    @property
    def missed(self) -> int:
        """Bytes that nobody read while the command ran."""
        return self._counts[_UNREAD]

    @property
    def last(self) -> float:
        """When the command last printed, by the monotonic clock; 0 if it has not."""
        return self._times[1]

    @property
    def longest_gap(self) -> float:
        """Seconds of the longest silence between two outputs so far."""
        return self._times[2]
