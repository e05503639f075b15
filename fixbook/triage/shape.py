"""The shape of an exception that the book does not know: what stays when names and numbers go."""

from __future__ import annotations

import hashlib
import re
from typing import TYPE_CHECKING

from fixbook.log.next_steps import VALUES
from fixbook.log.redact import redact
from fixbook.text import printable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fixbook.log.card import Card
    from fixbook.log.scanned import Scan
    from fixbook.log.traceback import Frame

MOST_SHAPE = 300
MOST_EXCERPT = 6000
_PACKAGES = re.compile(r".*[\\/](?:site|dist)-packages[\\/]")


def shape_of(card: Card, *, text: bool) -> str:
    """Return the class, the deepest frame of a library and the message without its values.

    Args:
        card: The exception.
        text: Whether it may be read; else a digest of it is returned.
    """
    message = VALUES.sub("*", redact(card.line.text.strip()))
    parts = [card.kind or "-", _place(card.frame), " ".join(message.split())]
    shape = printable(" | ".join(parts))[:MOST_SHAPE]
    return shape if text else hashlib.sha256(shape.encode()).hexdigest()[:16]


def excerpt_of(card: Card, scans: Sequence[Scan]) -> str | None:
    """Return the exception with the lines before it, redacted; None if they were not kept."""
    for scan in scans:
        for hit in scan.errors if scan.source == card.source else ():
            if hit.line.number == card.line.number:
                before = hit.context.before[-MOST_EXCERPT:].decode("utf-8", "replace")
                whole = before.partition("\n")[2] if len(before) >= MOST_EXCERPT else before
                return redact(printable(whole + hit.line.text + "\n"))
    return redact(printable(card.line.text + "\n"))


def _place(frame: Frame | None) -> str:
    if frame is None:
        return "-"
    file = _PACKAGES.sub("", frame.file).replace("\\", "/")
    return f"{'/'.join(file.split('/')[-3:])}:{frame.function}"
