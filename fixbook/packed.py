"""Many texts as one file: what the wheel carries of pages and records, much smaller together."""

from __future__ import annotations

import json
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path


def pack(texts: Mapping[str, str]) -> bytes:
    """Return the file that holds texts by name; the same for the same texts.

    Args:
        texts: The texts.
    """
    import lzma  # noqa: PLC0415  (some builds of Python lack it; see `unpack`)

    ordered = json.dumps(dict(sorted(texts.items())), ensure_ascii=False)
    return lzma.compress(ordered.encode(), preset=9 | lzma.PRESET_EXTREME)


def unpack(path: Path) -> Mapping[str, str] | None:
    """Return the texts of a file; None if it is not there, is damaged, or this Python lacks lzma.

    Args:
        path: The file.
    """
    return _unpack(path) if path.is_file() else None


@lru_cache(maxsize=4)  # a server asks for one page after another
def _unpack(path: Path) -> Mapping[str, str] | None:
    try:
        import lzma  # noqa: PLC0415  (as above)
    except ImportError:
        return None
    try:
        texts = json.loads(lzma.decompress(path.read_bytes()))
    except (lzma.LZMAError, OSError, EOFError, ValueError, RecursionError):
        return None
    return texts if isinstance(texts, dict) else None
