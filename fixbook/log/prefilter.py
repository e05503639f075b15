"""Find the lines that hold a literal of some pattern, as fast as the machine reads.

Hyperscan looks for all literals in one pass where its wheel is installed, and RE2 nearly as fast;
without them each literal is looked for on its own. All find the same lines.
"""

from __future__ import annotations

import functools
import threading
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence

# More lines with one literal in one chunk add nothing: the first decide.
MOST = 2000
# Loading and compiling a fast engine takes longer than reading less than this without.
WORTH_IT = 512 * 1024


class Prefilter(Protocol):
    """Looks for literals in bytes."""

    def find(self, chunk: bytes) -> list[tuple[int, int]]:
        """Return (offset of the end, index of the literal), sorted, each once per line."""


class PlainPrefilter:
    """Looks for each literal on its own."""

    def __init__(self, literals: Sequence[bytes]) -> None:
        self._literals = literals

    def find(self, chunk: bytes) -> list[tuple[int, int]]:
        """See `Prefilter`."""
        hits = []
        for index, literal in enumerate(self._literals):
            start = chunk.find(literal)
            for _ in range(MOST):
                if start < 0:
                    break
                hits.append((start + len(literal), index))
                line_end = chunk.find(b"\n", start)
                start = chunk.find(literal, line_end) if line_end >= 0 else -1
        return sorted(hits)


class HyperscanPrefilter:
    """Looks for all literals in one pass."""

    def __init__(self, literals: Sequence[bytes]) -> None:
        import hyperscan  # noqa: PLC0415  (an optional dependency)

        self._literals = literals
        self._database = hyperscan.Database(mode=hyperscan.HS_MODE_BLOCK)
        self._database.compile(
            expressions=[_escaped(literal) for literal in literals],
            ids=list(range(len(literals))),
            elements=len(literals),
            flags=[0] * len(literals),
        )
        self._own = threading.local()  # a scratch bears one scan at a time, so each thread has one

    def find(self, chunk: bytes) -> list[tuple[int, int]]:
        """See `Prefilter`."""
        counts = [0] * len(self._literals)
        done = [0] * len(self._literals)
        hits: list[tuple[int, int]] = []

        def on_match(index: int, _start: int, end: int, _flags: int, _context: Any) -> None:
            if end <= done[index] or counts[index] >= MOST:
                return
            counts[index] += 1
            hits.append((end, index))
            line_end = chunk.find(b"\n", end)
            done[index] = line_end if line_end >= 0 else len(chunk)

        self._database.scan(chunk, match_event_handler=on_match, scratch=self._scratch())
        return sorted(hits)

    def _scratch(self) -> Any:
        if not hasattr(self._own, "scratch"):
            self._own.scratch = self._database.scratch.clone()
        return self._own.scratch


def _escaped(literal: bytes) -> bytes:
    return b"".join(b"\\x%02x" % byte for byte in literal)


class Re2Prefilter:
    """Looks for all literals in one pass with RE2."""

    def __init__(self, literals: Sequence[bytes]) -> None:
        import re2  # noqa: PLC0415  (an optional dependency)

        options = re2.Options()
        options.encoding = re2.Options.Encoding.LATIN1  # bytes, one by one
        options.never_nl = True
        options.max_mem = 64 << 20
        self._literals = literals
        self._any = re2.compile(b"|".join(map(_escaped, literals)), options)

    def find(self, chunk: bytes) -> list[tuple[int, int]]:
        """See `Prefilter`; matches of RE2 do not overlap, so each line found is looked through."""
        hits: list[tuple[int, int]] = []
        counts = [0] * len(self._literals)
        done = 0
        for match in self._any.finditer(chunk):
            if match.end() <= done:
                continue
            start = chunk.rfind(b"\n", 0, match.start()) + 1
            done = chunk.find(b"\n", match.end())
            done = len(chunk) if done < 0 else done
            for index, literal in enumerate(self._literals):
                at = chunk.find(literal, start, done)
                if at >= 0 and counts[index] < MOST:
                    counts[index] += 1
                    hits.append((at + len(literal), index))
        return sorted(hits)


class LazyPrefilter:
    """Starts with the one that is ready at once; takes the fastest when there is much to read."""

    def __init__(self, literals: Sequence[bytes]) -> None:
        self._literals = literals
        self._prefilter: Prefilter = PlainPrefilter(literals)
        self._fast = False
        self._read = 0  # of all logs: many small ones are as much as a large one

    def find(self, chunk: bytes) -> list[tuple[int, int]]:
        """See `Prefilter`."""
        self._read += len(chunk)
        if self._read >= WORTH_IT and not self._fast:
            self._prefilter, self._fast = _fastest(self._literals), True
        return self._prefilter.find(chunk)


def _fastest(literals: Sequence[bytes]) -> Prefilter:
    for prefilter in (HyperscanPrefilter, Re2Prefilter):
        try:
            return prefilter(literals)
        except ImportError:
            continue
    return PlainPrefilter(literals)


@functools.lru_cache(maxsize=4)
def prefilter_for(literals: tuple[bytes, ...]) -> Prefilter:
    """Return a prefilter for the literals."""
    return LazyPrefilter(literals)
