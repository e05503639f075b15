"""Where the tensors of a safetensors file lie: its header, read within bounds."""

from __future__ import annotations

import json
import struct
from math import prod
from typing import TYPE_CHECKING, Any

from fixbook.run_files.tensors import Tensor
from fixbook.text import _

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

MOST_HEADER = 32 * 1024 * 1024  # that of the largest models takes a few
_LENGTH = struct.Struct("<Q")
_MOST_DIMENSIONS = 64  # the product of thousands is a number that takes long to form
_NAMES = {
    64: "F64 I64 U64 C64",
    32: "F32 I32 U32",
    16: "F16 BF16 I16 U16",
    8: "F8_E5M2 F8_E4M3 F8_E8M0 I8 U8 BOOL",
    6: "F6_E2M3 F6_E3M2",
    4: "F4",
}
_BITS = {name: bits for bits, names in _NAMES.items() for name in names.split()}


class UnreadableError(Exception):
    """A file is not what its name says; the message says why."""


def safetensors_in(path: Path) -> list[Tensor]:
    """Return the tensors of a file, in the order in which they lie.

    Args:
        path: The file.

    Raises:
        UnreadableError: It is torn, foreign, or says what cannot be.
        OSError: It cannot be read.
    """
    whole = path.stat().st_size
    with path.open("rb") as opened:
        head = opened.read(_LENGTH.size)
        if len(head) < _LENGTH.size:
            raise UnreadableError(_("it breaks off in its header"))
        (length,) = _LENGTH.unpack(head)
        if length > whole - _LENGTH.size or length > MOST_HEADER:
            raise UnreadableError(_("its header claims {size} bytes").format(size=length))
        text = opened.read(length)
    try:
        header = json.loads(text)
    except (ValueError, RecursionError):
        raise UnreadableError(_("its header is no JSON")) from None
    base = _LENGTH.size + length
    found = sorted(_tensors(header, path, base), key=lambda tensor: tensor.offset)
    end = base
    for tensor in found:
        if tensor.offset < end:
            raise UnreadableError(_("its tensors overlap"))
        end = tensor.offset + tensor.size
    if end > whole:
        told = _("it breaks off: {there} bytes of {all}")
        raise UnreadableError(told.format(there=whole, all=end))
    return found


def _tensors(header: Any, path: Path, base: int) -> Iterator[Tensor]:
    if not isinstance(header, dict):
        raise UnreadableError(_("its header is no JSON"))
    for name, said in header.items():
        if name == "__metadata__":
            continue
        try:
            begin, end = said["data_offsets"]
            sound = _sound(begin, end, said["shape"], _BITS[said["dtype"]])
        except (KeyError, TypeError, ValueError):
            sound = False
        if not sound:
            told = _("its header says what cannot be of {name}")
            raise UnreadableError(told.format(name=repr(name)[:80]))
        yield Tensor(name, said["dtype"], path, base + begin, end - begin)


def _sound(begin: Any, end: Any, shape: Any, bits: int) -> bool:
    if len(shape) > _MOST_DIMENSIONS:
        return False
    numbers = all(type(one) is int and 0 <= one < 2**60 for one in (begin, end, *shape))
    return numbers and (prod(shape) * bits + 7) // 8 == end - begin
