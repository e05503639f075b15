"""Many texts as one file: what the wheel carries of pages and records, much smaller together.

A few texts are compressed together, and one line before them says where each lies: whoever reads
one page unpacks a dozen, not all.
"""

from __future__ import annotations

import json
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    _Packed = tuple[list[tuple[int, set[str]]], bytes]  # which texts lie together; the parts

TOGETHER = 12  # texts; twice as many take 5 % less


def pack(texts: Mapping[str, str], together: int = TOGETHER) -> bytes:
    """Return the file that holds texts by name; the same for the same texts.

    Args:
        texts: The texts.
        together: How many are compressed together.
    """
    import lzma  # noqa: PLC0415  (some builds of Python lack it; see `unpack`)

    names = sorted(texts)
    head, parts = [], []
    for start in range(0, len(names), together):
        some = names[start : start + together]
        text = json.dumps({name: texts[name] for name in some}, ensure_ascii=False)
        parts.append(lzma.compress(text.encode(), preset=9 | lzma.PRESET_EXTREME))
        head.append([len(parts[-1]), some])
    return json.dumps(head).encode() + b"\n" + b"".join(parts)


def unpack(path: Path) -> Mapping[str, str] | None:
    """Return all texts of a file; None if it is not there, is damaged, or this Python lacks lzma.

    Args:
        path: The file.
    """
    packed = _read(path) if path.is_file() else None
    if packed is None:
        return None
    texts: dict[str, str] = {}
    for names, raw in _parts(packed):
        some = _texts(raw)
        if some is None or not names <= some.keys():
            return None
        texts |= some
    return texts


def unpacked(path: Path, name: str) -> str | None:
    """Return one text of a file; None if it is not there; see `unpack`.

    Args:
        path: The file.
        name: Name of the text.
    """
    packed = _read(path) if path.is_file() else None
    for names, raw in _parts(packed) if packed else ():
        if name in names:
            return (_texts(raw) or {}).get(name)
    return None


def _parts(packed: _Packed) -> Iterator[tuple[set[str], bytes]]:
    heads, raw = packed
    start = 0
    for length, names in heads:
        yield names, raw[start : start + length]
        start += length


@lru_cache(maxsize=4)  # a server asks for one page after another
def _read(path: Path) -> _Packed | None:
    try:
        head, _, raw = path.read_bytes().partition(b"\n")
        return [(int(length), set(names)) for length, names in json.loads(head)], raw
    except (OSError, ValueError, TypeError, RecursionError):
        return None


@lru_cache(maxsize=64)  # as above: all of one language
def _texts(raw: bytes) -> dict[str, str] | None:
    try:
        import lzma  # noqa: PLC0415  (as above)
    except ImportError:
        return None
    try:
        texts = json.loads(lzma.decompress(raw))
    except (lzma.LZMAError, EOFError, ValueError, RecursionError):
        return None
    return texts if isinstance(texts, dict) else None
