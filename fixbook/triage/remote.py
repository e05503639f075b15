"""Logs in object stores and on HDFS: listed and read where they lie, never copied to disk.

pyarrow speaks to S3, Google Cloud Storage and HDFS itself; for other schemes fsspec is asked. Whose
name and key it is, a store learns from the environment, as its own tools do: an address holds none.
"""

from __future__ import annotations

import datetime as dt
import io
import os
import re
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any, TypeVar

from fixbook.problem import BookError, Problem
from fixbook.text import _
from fixbook.triage.store_errors import credentials, no_bucket, reason_in, said_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

T = TypeVar("T")
BUFFER = 4 * 1024**2  # what is asked of a store at once
_CONNECT_S, _REQUEST_S = 10, 60
_FORM = re.compile(r"([a-z][a-z0-9+.-]*)://([^/]*)/*(.*)", re.DOTALL)
_WILD = re.compile(r"[*?\[]")
# What a store says of one object alone.
_OF_ONE = re.compile(r"AWS Error (?:NO_SUCH_KEY|RESOURCE_NOT_FOUND|INVALID_OBJECT_STATE)")


class StoreLostError(BookError):
    """A store that does not answer: this ends the run, as no log is to blame."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where something lies.

    Attributes:
        base: Scheme and bucket or host, as a store is opened.
        path: What the store calls it.
    """

    base: str
    path: str

    def __str__(self) -> str:
        """Return it as one text; `opened` takes it apart."""
        return f"{self.base}#{self.path}"


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


def is_remote(name: str) -> bool:
    """Tell whether a name is an address, not a path."""
    return _FORM.match(name) is not None


def found_at(name: str, *, anonymous: bool) -> Iterator[Found]:
    """Yield the files at an address, be it a file, a folder or a pattern.

    No more is in memory than what lies in one folder of the first level.

    Args:
        name: The address.
        anonymous: Whether the store is asked without credentials.

    Raises:
        BookError: It cannot be listed; it says why.
    """
    place = _place(name, anonymous=anonymous)
    wild = _WILD.search(place.path)
    fixed = place.path[: place.path.rfind("/", 0, wild.start())] if wild else place.path
    pattern = _pattern(place.path) if wild else None
    try:
        system = _system(place.base)
        for info in _listed(system, fixed):
            if info is None:
                raise BookError([_missing(name, system, place)])
            if pattern is None or pattern.fullmatch(info.path):
                yield _found(info, place.base)
    except OSError as error:
        raise StoreLostError([said_of(name, error)]) from None


def opened(text: str) -> io.BufferedReader:
    """Open a file of a store; it is read from front to back, or anywhere as a zip asks.

    Args:
        text: Its place.

    Raises:
        OSError: It cannot be read.
        StoreLostError: The store does not answer.
    """
    return io.BufferedReader(_Stream(text), BUFFER)


class _Stream(io.RawIOBase):
    """A file of a store, as Python's own files are."""

    def __init__(self, text: str) -> None:
        base, _hash, path = text.partition("#")
        self._place = Place(base, path)
        seeks = path.lower().endswith(".zip")
        system = _system(base)
        self._file: Any = self._asked(
            lambda: (
                system.open_input_file(path)
                if seeks
                else system.open_input_stream(path, compression=None)
            )
        )
        self._seeks = seeks

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return self._seeks

    def readinto(self, buffer: Any) -> int:
        got: bytes = self._asked(lambda: self._file.read(len(buffer)))
        buffer[: len(got)] = got
        return len(got)

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        return self._asked(lambda: int(self._file.seek(offset, whence)))

    def tell(self) -> int:
        return int(self._file.tell())

    def close(self) -> None:
        if not self.closed and hasattr(self, "_file"):
            self._file.close()
        super().close()

    def _asked(self, call: Callable[[], T]) -> T:
        """Ask the store; where it answers of other things, the error is this file's own."""
        try:
            return call()
        except (PermissionError, FileNotFoundError):
            raise
        except OSError as error:
            if "ACCESS_DENIED" in str(error):
                raise PermissionError(13, "Permission denied") from None
            if not _OF_ONE.search(str(error)):
                try:
                    _system(self._place.base).get_file_info(self._place.path)
                except OSError as other:
                    raise StoreLostError([said_of(_shown(self._place), other)]) from None
            raise OSError(reason_in(error)) from None


def _place(name: str, *, anonymous: bool) -> Place:
    form = _FORM.fullmatch(name)
    scheme, at, path = form.groups() if form else ("", "", "")
    if ":" in at.rpartition("@")[0]:
        what = _("an address holds no password; it would stand in logs and lists")
        raise BookError([Problem(f"{scheme}://…", what, credentials(scheme))])
    base = f"{scheme}://{at}" + ("?anonymous" if anonymous else "")
    if scheme in {"s3", "gs"}:
        if not at:
            raise BookError([Problem(name, _("names no bucket"), f"{scheme}://BUCKET/FOLDER")])
        return Place(base, f"{at}/{path}".rstrip("/"))
    if scheme == "hdfs":
        return Place(base, "/" + path.rstrip("/"))
    return Place(base, str(_spec(name, anonymous=anonymous)[1]))


@cache
def _system(base: str) -> Any:
    from pyarrow import fs  # noqa: PLC0415  (it loads the stores' own libraries)

    address, _mark, how = base.partition("?")
    scheme, _colon, at = address.partition("://")
    if scheme == "s3":
        endpoint = _told("AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL")
        region = _told("AWS_REGION", "AWS_DEFAULT_REGION")
        how_to: dict[str, Any] = {"connect_timeout": _CONNECT_S, "request_timeout": _REQUEST_S}
        if endpoint:
            spoken, _colon, where = endpoint.rpartition("://")
            how_to |= {"scheme": spoken or "https", "endpoint_override": where.rstrip("/")}
        region = region or ("us-east-1" if endpoint else fs.resolve_s3_region(at))
        return fs.S3FileSystem(anonymous=bool(how), region=region, **how_to)
    if scheme == "gs":
        limit = dt.timedelta(seconds=_REQUEST_S)
        return fs.GcsFileSystem(anonymous=bool(how), retry_time_limit=limit)
    if scheme == "hdfs":
        return fs.FileSystem.from_uri(address)[0]
    return fs.PyFileSystem(fs.FSSpecHandler(_spec(address, anonymous=bool(how))[0]))


def _told(*names: str) -> str:
    """What the environment says, as the store's own tools read it."""
    return next(filter(None, map(os.environ.get, names)), "") or ""


def _spec(name: str, *, anonymous: bool) -> tuple[Any, str]:
    scheme = name.partition("://")[0]
    if find_spec("fsspec") is None:
        what = _("the scheme {scheme} needs the package fsspec").format(scheme=scheme)
        mend = _("install the extra: pip install '.[{extra}]' in a checkout")
        raise BookError([Problem(name, what, mend.format(extra="triage,remote"))])
    from fsspec.core import url_to_fs  # noqa: PLC0415  (the extra `remote`)
    from fsspec.registry import known_implementations as known  # noqa: PLC0415

    if scheme not in known or scheme in {"file", "local"}:
        what = _("this scheme is not known: {scheme}").format(scheme=scheme)
        mend = _("name a path, or an address of s3, gs, hdfs or another scheme of fsspec")
        raise BookError([Problem(name, what, mend)])
    try:
        system, path = url_to_fs(name, **({"anon": True} if anonymous else {}))
    except ImportError as error:
        what = _("the scheme {scheme} needs a package that is not installed: {reason}")
        said = what.format(scheme=scheme, reason=reason_in(error))
        mend = _("install it beside Fixbook, on every node that reads")
        raise BookError([Problem(name, said, mend)]) from None
    except (TypeError, ValueError) as error:
        raise OSError(reason_in(error)) from None
    return system, str(path)


def _listed(system: Any, folder: str) -> Iterator[Any]:
    """Yield what lies below a folder; None if it is not there, and itself if it is a file."""
    from pyarrow import fs  # noqa: PLC0415  (as above)

    top = system.get_file_info(folder)
    if top.type != fs.FileType.Directory:
        yield None if top.type == fs.FileType.NotFound else top
        return
    for info in system.get_file_info(fs.FileSelector(folder)):
        if info.type != fs.FileType.Directory:
            yield info
            continue
        try:
            below = system.get_file_info(fs.FileSelector(info.path, recursive=True))
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


def _shown(place: Place) -> str:
    scheme = place.base.partition("://")[0]
    return f"{scheme}://{place.path.lstrip('/')}"


def _missing(name: str, system: Any, place: Place) -> Problem:
    from pyarrow import fs  # noqa: PLC0415  (as above)

    nothing = _("the store answers, and holds nothing there")
    if place.base.partition("://")[0] not in {"s3", "gs"}:
        return Problem(name, _("does not exist"), nothing)
    try:
        top = system.get_file_info(PurePosixPath(place.path).parts[0])
    except OSError:  # who may read a folder need not be allowed to ask for its bucket
        return Problem(name, _("does not exist"), nothing)
    if top.type == fs.FileType.NotFound:
        return no_bucket(name)
    return Problem(name, _("does not exist"), nothing)
