"""What a log tells of one exception, and the versions that it prints."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from fixbook.log.libraries import libraries

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fixbook.log.normalise import LogLine
    from fixbook.log.traceback import Frame

ALIASES = {alias: name for name, one in libraries().items() for alias in one.names}
_NAMES = sorted({"python", *libraries(), *ALIASES})
VERSION = re.compile(
    rf"\b(?P<name>{'|'.join(name.replace('_', '[_-]') for name in _NAMES)})"
    r"[`'\"]?(?:[ _-](?:API server |engine )?version)?[`'\"]?(?:==|[:=] {0,9}| {1,3})v?"
    r"(?P<version>\d{1,4}\.\d{1,5}(?:[.+]\w{1,20}){0,4})",
    re.ASCII | re.IGNORECASE,
)
PYTHON_PATH = re.compile(r"[\\/]python(\d\.\d{1,2})[\\/]", re.ASCII)
MOST_VERSIONS = 12


@dataclass(frozen=True, slots=True)
class Card:
    """What a log tells of one exception.

    Attributes:
        line: The line of the exception.
        source: Name of the log.
        kind: Its class as printed; empty for an error that is no Python exception.
        certain: False for a line that only reads like a failure.
        cause: The exception that it follows from, the first of a chain; None if there is none.
        user: The deepest frame in the user's own code; None if none is printed.
        frame: The deepest frame in a library; None if none is printed.
        library: The library of that frame.
        libraries: All libraries of its frames, the deepest first.
        before: The last line that the rank printed before it failed; None if none is there.
        versions: Versions that the log prints, by name.
    """

    line: LogLine
    source: str
    kind: str = ""
    certain: bool = True
    cause: LogLine | None = None
    user: Frame | None = None
    frame: Frame | None = None
    library: str = ""
    libraries: tuple[str, ...] = ()
    before: LogLine | None = None
    versions: dict[str, str] = field(default_factory=dict)


def versions_of(head: bytes, before: bytes, frames: Sequence[Frame]) -> dict[str, str]:
    """Return the versions that a log prints, by name.

    Args:
        head: The beginning of the log.
        before: What stands before the exception.
        frames: Those of its traceback.
    """
    found: dict[str, str] = {}
    for match in VERSION.finditer((head + b"\n" + before).decode("utf-8", errors="replace")):
        name = match["name"].lower().replace("-", "_")
        found.setdefault(ALIASES.get(name, name), match["version"])
    for frame in frames:
        python = PYTHON_PATH.search(frame.file)
        if python:
            found.setdefault("python", python[1])
    return dict([*found.items()][:MOST_VERSIONS])
