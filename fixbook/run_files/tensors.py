"""Tensors where they lie in a file: never more of one in memory than a piece.

They are read, not mapped: a file that a running job cuts short would end this process otherwise.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from fixbook.run_files.numbers import PIECE, WIDTHS, is_zero, not_finite

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path


@dataclass(frozen=True, slots=True)
class Tensor:
    """Where the bytes of a tensor are.

    Attributes:
        name: Its name.
        kind: What its numbers are, as safetensors names them.
        path: The file.
        offset: Where in the file it begins.
        size: Its length in bytes.
    """

    name: str
    kind: str
    path: Path
    offset: int
    size: int

    @property
    def floats(self) -> bool:
        """Whether it holds floating-point numbers, as what is trained does."""
        return self.kind in WIDTHS


class TornError(Exception):
    """A file ends before its tensor does."""


def pieces(tensor: Tensor) -> Iterator[bytes]:
    """Yield the bytes of a tensor.

    Raises:
        TornError: The file ends before.
        OSError: It cannot be read.
    """
    left = tensor.size
    with tensor.path.open("rb", buffering=0) as opened:
        opened.seek(tensor.offset)
        while left:
            piece = opened.read(min(PIECE, left))
            while piece and len(piece) < min(PIECE, left):  # the system may give less
                more = opened.read(min(PIECE, left) - len(piece))
                if not more:
                    raise TornError(tensor.path)
                piece += more
            if not piece:
                raise TornError(tensor.path)
            left -= len(piece)
            yield piece


def broken(tensor: Tensor, watch: Callable[[int], None]) -> tuple[bool, bool]:
    """Tell whether a tensor holds a NaN, and an infinite number; the first piece with one ends it.

    Args:
        tensor: It.
        watch: Called with the number of bytes read.
    """
    for piece in pieces(tensor):
        nan, infinite = not_finite(piece, tensor.kind)
        watch(len(piece))
        if nan or infinite:
            return nan > 0, infinite > 0
    return False, False


def zero(tensor: Tensor) -> bool:
    """Tell whether every number of a tensor is 0."""
    return all(is_zero(piece) for piece in pieces(tensor))


def equal(one: Tensor, other: Tensor, watch: Callable[[int], None]) -> bool:
    """Tell whether two tensors hold the same bytes.

    Args:
        one: A tensor.
        other: Another.
        watch: Called with the number of bytes read.
    """
    if (one.kind, one.size) != (other.kind, other.size):
        return False
    for mine, its in zip(pieces(one), pieces(other), strict=True):
        watch(2 * len(mine))
        if mine != its:
            return False
    return True
