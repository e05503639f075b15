"""PyTorch's caching allocator, replayed: what it would reserve for a series of allocations.

The rules are those of ``c10/cuda/CUDACachingAllocator.cpp`` with default settings and one stream.
"""

from __future__ import annotations

import bisect
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fixbook.fit.trace import Trace

MIB = 2**20
_SMALLEST = 512  # bytes that are worth a block of their own
_SMALL = MIB  # up to here, a request is served from small segments
_SMALL_SEGMENT = 2 * MIB
_LARGE_SEGMENT = 20 * MIB
_OWN_SEGMENT = 10 * MIB  # from here on, a request has a segment of its size
_STEP = 2 * MIB  # such a size is a multiple of this


@dataclass(slots=True, eq=False)
class _Block:
    size: int
    address: int
    free: list[tuple[int, int]]  # of its pool
    before: _Block | None = None
    behind: _Block | None = None
    taken: bool = True


class CachingAllocator:
    """Segments taken from a card, cut into blocks.

    Attributes:
        reserved: Bytes of all segments.
    """

    def __init__(self) -> None:
        self.reserved = 0
        self._small: list[tuple[int, int]] = []  # free blocks by size and address
        self._large: list[tuple[int, int]] = []
        self._blocks: dict[int, _Block] = {}  # all of them by their address
        self._top = 0

    def allocate(self, size: int) -> int:
        """Take a block, from a free one or from a new segment.

        Args:
            size: Bytes, a multiple of 512.

        Returns:
            Its address.
        """
        free = self._small if size <= _SMALL else self._large
        index = bisect.bisect_left(free, (size, -1))
        if index < len(free):
            block = self._blocks[free.pop(index)[1]]
            block.taken = True
        else:
            block = self._segment(size, free)
        rest = block.size - size
        if rest >= _SMALLEST if size <= _SMALL else rest > _SMALL:
            self._cut(block, size)
        return block.address

    def release(self, address: int) -> None:
        """Give a block back; free ones beside it become one with it."""
        block = self._blocks[address]
        block.taken = False
        for other in (block.before, block.behind):
            if other and not other.taken:
                self._forget(other)
                first, second = sorted((block, other), key=lambda one: one.address)
                first.size += second.size
                first.behind = second.behind
                if second.behind:
                    second.behind.before = first
                del self._blocks[second.address]
                block = first
        bisect.insort(block.free, (block.size, block.address))

    def _segment(self, size: int, free: list[tuple[int, int]]) -> _Block:
        if size <= _SMALL:
            whole = _SMALL_SEGMENT
        elif size < _OWN_SEGMENT:
            whole = _LARGE_SEGMENT
        else:
            whole = -(-size // _STEP) * _STEP
        block = _Block(whole, self._top, free)
        self._blocks[block.address] = block
        self._top += whole + 1  # segments do not touch
        self.reserved += whole
        return block

    def _cut(self, block: _Block, size: int) -> None:
        rest = _Block(
            block.size - size, block.address + size, block.free, block, block.behind, taken=False
        )
        if block.behind:
            block.behind.before = rest
        block.size, block.behind = size, rest
        self._blocks[rest.address] = rest
        bisect.insort(rest.free, (rest.size, rest.address))

    def _forget(self, block: _Block) -> None:
        del block.free[bisect.bisect_left(block.free, (block.size, block.address))]


def reserved(trace: Trace) -> int:
    """Return the bytes that are reserved at the end: the allocator gives none back by itself.

    What loading leaves is put down first, without what it needed for a while: a loader takes other
    ways than a model that is made without data.
    """
    allocator = CachingAllocator()
    addresses: dict[int, int] = {}
    gone = {-number for number, _ in trace.events[: trace.loaded] if number < 0}
    for index, (number, size) in enumerate(trace.events):
        loading = index < trace.loaded
        if loading and abs(number) in gone:
            continue
        if number > 0:
            addresses[number] = allocator.allocate(size)
        else:
            allocator.release(addresses.pop(-number))
    return allocator.reserved
