"""Bytes of numbers, looked at many at a time: which of them are no numbers.

The first byte of such a number, its sign aside, is one of few: pieces without any of these are
passed over as fast as they are read. Of the others, a piece is one very long whole number. Adding
1 to the exponent of each of its numbers at once carries into the sign exactly where all bits of
the exponent are set. Neither needs a package.
"""

from __future__ import annotations

import functools

PIECE = 1024 * 1024  # bytes; a multiple of every width
# Width in bytes, and bits of exponent and mantissa, by the names that safetensors gives.
_LAYOUTS = {
    "F64": (8, 11, 52),
    "F32": (4, 8, 23),
    "BF16": (2, 8, 7),
    "F16": (2, 5, 10),
    "F8_E5M2": (1, 5, 2),
    "F8_E4M3": (1, 7, 0),  # all bits set is the one value that is no number
}
_FIRST = {"F16": range(0x7C, 0x80), "F8_E5M2": range(0x7C, 0x80)}  # what a first byte may be
WIDTHS = {kind: width for kind, (width, _, _) in _LAYOUTS.items()}
_ZEROS = bytes(PIECE)


def is_zero(piece: bytes) -> bool:
    """Tell whether every byte is 0."""
    return piece == (_ZEROS if len(piece) == PIECE else _ZEROS[: len(piece)])


def not_finite(piece: bytes, kind: str) -> tuple[int, int]:
    """Count the numbers that are none.

    Args:
        piece: At most `PIECE` bytes.
        kind: What they are.

    Returns:
        How many are NaN, and how many infinite; of whole numbers none is.
    """
    if kind not in _LAYOUTS or not _may_be(piece, kind):
        return 0, 0
    exponents, unit, sign, mantissas = _masks(kind)
    number = int.from_bytes(piece, "little")
    broken = ((number & exponents) + unit) & sign
    if not broken:
        return 0, 0
    _, bits, mantissa = _LAYOUTS[kind]
    if not mantissa:
        return broken.bit_count(), 0
    nan = (broken >> bits & ((number & mantissas) + mantissas)).bit_count()
    return nan, broken.bit_count() - nan


def _may_be(piece: bytes, kind: str) -> bool:
    width = WIDTHS[kind]
    firsts = piece[width - 1 :: width]
    wanted = _FIRST.get(kind, range(0x7F, 0x80))
    return any(one in firsts or one | 0x80 in firsts for one in wanted)


@functools.cache
def _masks(kind: str) -> tuple[int, int, int, int]:
    """The bits of exponents, their lowest ones, the signs and the mantissas of a whole piece."""
    width, bits, mantissa = _LAYOUTS[kind]
    lowest, sign = 1 << mantissa, 1 << bits + mantissa
    each = (sign - lowest, lowest, sign, lowest - 1)
    exponents, unit, signs, mantissas = (
        int.from_bytes(one.to_bytes(width, "little") * (PIECE // width), "little") for one in each
    )
    return exponents, unit, signs, mantissas
