"""The logs of a store: which of them an address names."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any

from fixbook.problem import BookError, Problem
from fixbook.text import _
from fixbook.triage.remote import Place, StoreLostError, place_at, system
from fixbook.triage.store_errors import no_bucket, said_of

if TYPE_CHECKING:
    from collections.abc import Iterator

_WILD = re.compile(r"[*?\[]")


@dataclass(frozen=True, slots=True)
class Found:
    """A file of a store, or a folder that may not be listed.

    Attributes:
        place: Where it lies.
        name: How it is called: bucket and path.
        size: Bytes.
        changed: When it was written, in seconds since 1970; 0 if the store does not tell.
        permitted: Whether it may be listed.
    """

    place: str
    name: str
    size: int = 0
    changed: float = 0.0
    permitted: bool = True


def found_at(name: str, *, anonymous: bool) -> Iterator[Found]:
    """Yield the files at an address, be it a file, a folder or a pattern.

    No more is in memory than what lies in one folder of the first level.

    Args:
        name: The address.
        anonymous: Whether the store is asked without credentials.

    Raises:
        BookError: It cannot be listed; it says why.
    """
    place = place_at(name, anonymous=anonymous)
    wild = _WILD.search(place.path)
    fixed = place.path[: place.path.rfind("/", 0, wild.start())] if wild else place.path
    pattern = _pattern(place.path) if wild else None
    try:
        store = system(place.base)
        for info in _listed(store, fixed):
            if info is None:
                raise BookError([_missing(name, store, place)])
            if pattern is None or pattern.fullmatch(info.path):
                yield _found(info, place.base)
    except OSError as error:
        raise StoreLostError([said_of(name, error)]) from None


def _listed(store: Any, folder: str) -> Iterator[Any]:
    """Yield what lies below a folder; None if it is not there, and itself if it is a file."""
    from pyarrow import fs  # noqa: PLC0415  (as above)

    top = store.get_file_info(folder)
    if top.type != fs.FileType.Directory:
        yield None if top.type == fs.FileType.NotFound else top
        return
    for info in store.get_file_info(fs.FileSelector(folder)):
        if info.type != fs.FileType.Directory:
            yield info
            continue
        try:
            below = store.get_file_info(fs.FileSelector(info.path, recursive=True))
        except PermissionError:
            yield info
            continue
        yield from (one for one in below if one.type == fs.FileType.File)


def _found(info: Any, base: str) -> Found:
    from pyarrow import fs  # noqa: PLC0415  (as above)

    place, name = str(Place(base, info.path)), info.path.lstrip("/")
    if info.type == fs.FileType.Directory:
        return Found(place, name, permitted=False)
    return Found(place, name, info.size or 0, (info.mtime_ns or 0) / 1e9)


def _pattern(path: str) -> re.Pattern[str]:
    """Read ``*`` as within one folder, ``**`` as through several, as for paths."""
    parts = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}
    said = [
        parts.get(part) or (part.replace("[!", "[^") if part.startswith("[") else re.escape(part))
        for part in re.findall(r"\*\*/|\*\*|\*|\?|\[[^\]/]+\]|.", path, re.DOTALL)
    ]
    return re.compile("".join(said), re.DOTALL)


def _missing(name: str, store: Any, place: Place) -> Problem:
    from pyarrow import fs  # noqa: PLC0415  (as above)

    nothing = _("the store answers, and holds nothing there")
    if place.base.partition("://")[0] not in {"s3", "gs"}:
        return Problem(name, _("does not exist"), nothing)
    try:
        top = store.get_file_info(PurePosixPath(place.path).parts[0])
    except OSError:  # who may read a folder need not be allowed to ask for its bucket
        return Problem(name, _("does not exist"), nothing)
    if top.type == fs.FileType.NotFound:
        return no_bucket(name)
    return Problem(name, _("does not exist"), nothing)
