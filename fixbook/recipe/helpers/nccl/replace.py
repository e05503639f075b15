"""Put functions in the place of those that are linked into a shared library, by their names.

NCCL as published has CUDA's runtime inside it, and its table of symbols still says where each of
those functions begins. A jump is written there. What NCCL itself consists of stays as it is.
"""

from __future__ import annotations

import ctypes
import mmap
import re
import struct
from typing import TYPE_CHECKING

from fixbook.recipe.helpers.gpu import NoStandInError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

CALL = re.compile(rb"cuda[A-Z]\w*")
# What an error is called stays NCCL's own.
_TEXTS = {b"cudaGetErrorString", b"cudaGetErrorName"}
_JUMP = 13  # bytes: mov r11, ADDRESS; jmp r11
_HEADER, _SECTION, _SYMBOL = "<16sHHIQQQIHHHHHH", "<IIQQQQIIQQ", "<IBBHQQ"
_TABLE_OF_SYMBOLS, _FUNCTION = 2, 2
_WRITABLE = 1 | 2 | 4  # PROT_READ | PROT_WRITE | PROT_EXEC


def functions(library: Path) -> dict[bytes, tuple[int, int]]:
    """Return where each function of a 64-bit ELF library begins, and its bytes, by its name.

    Args:
        library: The file. One without a table of symbols has none.

    Raises:
        NoStandInError: It is no such file.
    """
    with (
        library.open("rb") as file,
        mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data,
    ):
        if data[:5] != b"\x7fELF\x02":
            raise NoStandInError(f"{library.name} is not a 64-bit ELF library")
        return dict(_functions(data))


def _functions(data: mmap.mmap) -> Iterator[tuple[bytes, tuple[int, int]]]:
    header = struct.unpack_from(_HEADER, data)
    first, size, count = header[6], header[11], header[12]
    sections = [struct.unpack_from(_SECTION, data, first + at * size) for at in range(count)]
    for section in sections:
        if section[1] != _TABLE_OF_SYMBOLS:
            continue
        begin, length, names = section[4], section[5], sections[section[6]][4]
        for symbol in struct.iter_unpack(_SYMBOL, data[begin : begin + length]):
            if symbol[1] & 15 == _FUNCTION:
                start = names + symbol[0]
                yield data[start : data.find(b"\0", start)], (symbol[4], symbol[5])


def replace(library: Path, loaded: ctypes.CDLL, anchor: str, calls: ctypes.CDLL) -> int:
    """Let the CUDA runtime inside a loaded library jump to functions of another.

    Args:
        library: Its file.
        loaded: The library, as it has been loaded.
        anchor: A function that it exports, by which its place in memory is found.
        calls: What to jump to: ``nccl_NAME``, else ``NAME``, else ``answers_ok``.

    Returns:
        How many functions were replaced.

    Raises:
        NoStandInError: It has no CUDA runtime inside it, or memory may not be written here.
    """
    found = functions(library)
    inside = {name: place for name, place in found.items() if CALL.fullmatch(name)}
    if not inside:
        raise NoStandInError(f"no CUDA runtime is linked into {library.name}")
    base = _address(loaded, anchor) - found[anchor.encode()][0]
    replaced = 0
    for name, (offset, size) in inside.items():
        if name not in _TEXTS and size >= _JUMP:
            _jump(base + offset, _target(calls, name.decode()))
            replaced += 1
    return replaced


def _target(calls: ctypes.CDLL, name: str) -> int:
    plain = re.sub(r"_pt[sd][sz]$", "", name)
    for known in (f"nccl_{plain}", plain):
        if hasattr(calls, known):
            return _address(calls, known)
    return _address(calls, "answers_ok")


def _address(library: ctypes.CDLL, name: str) -> int:
    return ctypes.cast(getattr(library, name), ctypes.c_void_p).value or 0


def _jump(start: int, target: int) -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    page = start & -mmap.PAGESIZE
    size = start + _JUMP - page
    if libc.mprotect(ctypes.c_void_p(page), ctypes.c_size_t(size), _WRITABLE):
        raise NoStandInError("this machine forbids writing into loaded code")
    code = b"\x49\xbb" + struct.pack("<Q", target) + b"\x41\xff\xe3"
    ctypes.memmove(start, code, _JUMP)
