"""Scalars of a TensorBoard event file, read as data.

The format is small: records with a checked length, each a message of a few fields. A reader of
our own needs no package of the training and survives a file that a kill has torn.
"""

from __future__ import annotations

import struct
from typing import IO, TYPE_CHECKING

from fixbook.run_files.rows import Row, row_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

MOST_RECORD = 4 * 1024 * 1024  # longer ones hold images or graphs
MOST_RECORDS = 5_000_000
_HEAD, _FOOT = struct.Struct("<QI"), 4
_CASTAGNOLI, _MASK, _WORD = 0x82F63B78, 0xA282EAD8, 0xFFFFFFFF
_VARINT, _DOUBLE, _BYTES, _FLOAT = 0, 1, 2, 5  # kinds of fields
_VARINT_BITS = 63
# Numbers of the fields: of an event, of its summary, of a value, of a tensor.
_STEP, _SUMMARY, _VALUE = 2, 5, 1
_TAG, _SIMPLE, _TENSOR = 1, 2, 8
_TYPE, _CONTENT, _FLOATS, _DOUBLES = 1, 4, 5, 6
_F32, _F64 = 1, 2


class NoEventFileError(Exception):
    """The file does not begin as an event file does."""


def event_rows(path: Path) -> Iterator[Row]:
    """Yield the scalars of an event file, those of one step as one row.

    Args:
        path: The file. One that breaks off is read as far as it goes.

    Raises:
        NoEventFileError: It is something else.
        OSError: It cannot be read.
    """
    step, named = 0, dict[str, float]()
    for at, tag, value in _scalars(path):
        if named and (at != step or tag in named):
            yield from _row(step, named)
            named = {}
        step = at
        named[tag] = value
    yield from _row(step, named)


def _row(step: int, named: dict[str, float]) -> Iterator[Row]:
    row = row_of(named.items())
    if row is not None:
        yield Row(row.values, step)


def _scalars(path: Path) -> Iterator[tuple[int, str, float]]:
    with path.open("rb") as opened:
        for record in _records(opened):
            try:
                yield from _of_event(record)
            except (ValueError, IndexError, struct.error):
                return  # what follows a broken message is no better


def _records(opened: IO[bytes]) -> Iterator[memoryview]:
    for number in range(MOST_RECORDS):
        head = opened.read(_HEAD.size)
        if len(head) < _HEAD.size:
            return
        length, check = _HEAD.unpack(head)
        if _check(head[:8]) != check:
            if number == 0:
                raise NoEventFileError
            return
        if length > MOST_RECORD:
            opened.seek(length + _FOOT, 1)
            continue
        record = opened.read(length)
        if len(record) < length:
            return  # the run was ended as it wrote
        opened.read(_FOOT)
        yield memoryview(record)


def _check(data: bytes) -> int:
    """The masked CRC-32C of a few bytes."""
    crc = _WORD
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ _CASTAGNOLI * (crc & 1)
    crc ^= _WORD
    return ((crc >> 15 | crc << 17) + _MASK) & _WORD


def _of_event(record: memoryview) -> Iterator[tuple[int, str, float]]:
    fields = list(_fields(record))
    steps = [value for number, value in fields if number == _STEP and isinstance(value, int)]
    for number, summary in fields:
        if number != _SUMMARY or not isinstance(summary, memoryview):
            continue
        for inner, value in _fields(summary):
            if inner == _VALUE and isinstance(value, memoryview):
                yield from _of_value(value, steps[-1] if steps else 0)


def _of_value(message: memoryview, step: int) -> Iterator[tuple[int, str, float]]:
    tag, found = "", None
    for number, value in _fields(message):
        if not isinstance(value, memoryview):
            continue
        if number == _TAG:
            tag = bytes(value[:200]).decode("utf-8", errors="replace")
        elif number == _SIMPLE:
            found = struct.unpack("<f", value)[0]
        elif number == _TENSOR:
            found = _of_tensor(value)
    if found is not None:
        yield step, tag, found


def _of_tensor(message: memoryview) -> float | None:
    """The number of a tensor that holds a single one."""
    kind, parts = 0, list(_fields(message))
    for number, value in parts:
        kind = value if number == _TYPE and isinstance(value, int) else kind
    for number, value in parts:
        if isinstance(value, memoryview):
            if (
                number in {_CONTENT, _FLOATS}
                and kind == _F32
                and len(value) == struct.calcsize("f")
            ):
                return float(struct.unpack("<f", value)[0])
            if (
                number in {_CONTENT, _DOUBLES}
                and kind == _F64
                and len(value) == struct.calcsize("d")
            ):
                return float(struct.unpack("<d", value)[0])
    return None


def _fields(message: memoryview) -> Iterator[tuple[int, int | memoryview]]:
    """Yield the fields of a message: number, and a whole number or bytes.

    Raises:
        ValueError: It is no message.
        IndexError: It breaks off.
    """
    at = 0
    while at < len(message):
        key, at = _varint(message, at)
        kind = key & 7
        if kind == _VARINT:
            value, at = _varint(message, at)
            yield key >> 3, value
            continue
        if kind == _BYTES:
            length, at = _varint(message, at)
        elif kind in {_DOUBLE, _FLOAT}:
            length = 8 if kind == _DOUBLE else 4
        else:
            raise ValueError(kind)
        if at + length > len(message):
            raise IndexError(length)
        yield key >> 3, message[at : at + length]
        at += length


def _varint(message: memoryview, at: int) -> tuple[int, int]:
    value = 0
    for shift in range(0, _VARINT_BITS + 1, 7):
        byte = message[at]
        at += 1
        value |= (byte & 127) << shift
        if byte < 128:  # noqa: PLR2004  (the bit that says that more follows)
            return value, at
    raise ValueError(value)


def newest(paths: list[Path]) -> list[Path]:
    """Return the newest file of each folder of runs; those before it are of runs before.

    Args:
        paths: Event files.
    """
    by_run = {}
    for path in sorted(paths, key=lambda one: (one.stat().st_mtime_ns, one.name)):
        by_run[path.parent.parent if path.parent.parent.name == "runs" else path.parent] = path
    return sorted(by_run.values())
