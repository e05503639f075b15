"""Logs in UTF-16 (PowerShell redirects in it) or UTF-32 become UTF-8; others stay as they are."""

from __future__ import annotations

import codecs
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

# Those of UTF-32 first: one of them begins as one of UTF-16.
_MARKS = {
    codecs.BOM_UTF32_LE: "utf-32-le",
    codecs.BOM_UTF32_BE: "utf-32-be",
    codecs.BOM_UTF16_LE: "utf-16-le",
    codecs.BOM_UTF16_BE: "utf-16-be",
}
# Bytes from which a wide text without a mark is told, at least and at most, and how many of a
# hundred of its bytes are zero, where they should be and where not, if most of it is ASCII.
WIDE_FEWEST, WIDE_MOST = 16, 4096
WIDE_MOSTLY, WIDE_HARDLY = 40, 5


def decoded(read: Callable[[], bytes]) -> Iterator[bytes]:
    """Yield the parts of a log.

    Args:
        read: Returns the next part, and nothing at the end.
    """
    first = read()
    mark, encoding = _encoding(first)
    if not encoding:
        while first:
            yield first
            first = read()
        return
    decoder = codecs.getincrementaldecoder(encoding)(errors="replace")
    first = first[len(mark) :]
    while first:
        yield decoder.decode(first).encode()
        first = read()


def _encoding(first: bytes) -> tuple[bytes, str]:
    """Return the byte order mark and the encoding of a wide text; nothing for any other."""
    for mark, encoding in _MARKS.items():
        if first.startswith(mark):
            return mark, encoding
    head = first[:WIDE_MOST]
    if len(head) < WIDE_FEWEST:
        return b"", ""
    zeros = [100 * head[at::4].count(0) / len(head[at::4]) for at in range(4)]
    some, none = ([share > WIDE_MOSTLY for share in zeros], [s < WIDE_HARDLY for s in zeros])
    for encoding, zero in (
        ("utf-16-le", (False, True, False, True)),
        ("utf-16-be", (True, False, True, False)),
        ("utf-32-le", (False, True, True, True)),
        ("utf-32-be", (True, True, True, False)),
    ):
        if all(some[at] if expected else none[at] for at, expected in enumerate(zero)):
            return b"", encoding
    return b"", ""
