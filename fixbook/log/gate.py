"""Find the lines that hold a literal of some pattern, as fast as the machine reads.

Hyperscan looks for all literals in one pass where its wheel is installed; elsewhere each literal
is looked for on its own. Both find the same.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence

# More hits of one literal in one chunk add nothing: the first lines decide.
MOST = 2000


class Gate(Protocol):
    """Looks for literals in bytes."""

    def find(self, chunk: bytes) -> list[tuple[int, int]]:
        """Return (offset of the end, index of the literal) of the hits, sorted."""


class PlainGate:
    """Looks for each literal on its own."""

    def __init__(self, literals: Sequence[bytes]) -> None:
        self._literals = literals

    def find(self, chunk: bytes) -> list[tuple[int, int]]:
        """See `Gate`."""
        hits = []
        for index, literal in enumerate(self._literals):
            start = chunk.find(literal)
            for _ in range(MOST):
                if start < 0:
                    break
                hits.append((start + len(literal), index))
                start = chunk.find(literal, start + 1)
        return sorted(hits)


class HyperscanGate:
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

    def find(self, chunk: bytes) -> list[tuple[int, int]]:
        """See `Gate`."""
        counts = [0] * len(self._literals)
        hits: list[tuple[int, int]] = []

        def on_match(index: int, _start: int, end: int, _flags: int, _context: Any) -> None:
            counts[index] += 1
            if counts[index] <= MOST:
                hits.append((end, index))

        self._database.scan(chunk, match_event_handler=on_match)
        return sorted(hits)


def _escaped(literal: bytes) -> bytes:
    return b"".join(b"\\x%02x" % byte for byte in literal)


@functools.lru_cache(maxsize=4)
def gate_for(literals: tuple[bytes, ...]) -> Gate:
    """Return the fastest gate that is installed."""
    try:
        return HyperscanGate(literals)
    except ImportError:
        return PlainGate(literals)
