"""Logs inside archives: read in one pass from front to back, never written to disk."""

from __future__ import annotations

import io
import tarfile
import zipfile
import zlib
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import IO, TYPE_CHECKING, Literal, cast

from fixbook.log.reading import unpacked
from fixbook.triage import remote_read
from fixbook.triage.remote import is_remote

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_TARS = (".tar", ".tgz", ".tar.gz", ".tar.zst", ".tar.bz2", ".tar.xz")


@dataclass(frozen=True, slots=True)
class Member:
    """A file in an archive.

    Attributes:
        name: Its path in there.
        size: Bytes, as it lies unpacked.
        changed: When it was written, in seconds since 1970; 0 if the archive does not say.
        opened: Opens it; of a tar only until the next member is asked for.
    """

    name: str
    size: int
    changed: float
    opened: Callable[[], io.BufferedReader]


def is_archive(name: str) -> bool:
    """Tell by its name whether a file is an archive that is read."""
    return name.lower().endswith((*_TARS, ".zip"))


def opened(path: str) -> io.BufferedReader:
    """Open a file of this machine or of a store.

    Raises:
        OSError: It cannot be read.
    """
    return remote_read.opened(path) if is_remote(path) else Path(path).open("rb")


def members_of(path: str) -> Iterator[Member]:
    """Yield the files of an archive in its order; links and devices in it are no logs.

    Raises:
        OSError: It is no archive, or breaks off; what stands before was yielded.
    """
    try:
        yield from _zip(path) if path.lower().endswith(".zip") else _tar(path)
    except (tarfile.TarError, zipfile.BadZipFile, EOFError, zlib.error, RuntimeError) as error:
        raise OSError(str(error)) from error  # an encrypted zip is a RuntimeError


def _tar(path: str) -> Iterator[Member]:
    with opened(path) as raw, _plain(path, raw) as stream:
        other = path.lower().endswith((".bz2", ".xz"))
        mode: Literal["r|*", "r|"] = "r|*" if other else "r|"
        with tarfile.open(fileobj=stream, mode=mode) as archive:
            for one in archive:
                # It keeps every member for random access, which a stream does not have.
                archive.members = []  # type: ignore[attr-defined]
                if one.isreg():
                    yield Member(_name(one.name), one.size, one.mtime, _opener(archive, one))


@contextmanager
def _plain(path: str, raw: io.BufferedReader) -> Iterator[IO[bytes]]:
    if path.lower().endswith((".bz2", ".xz")):
        yield raw
    else:  # gzip of Python notices a torn stream, the one inside tarfile does not
        with unpacked(raw) as stream:
            yield stream


def _opener(archive: tarfile.TarFile, one: tarfile.TarInfo) -> Callable[[], io.BufferedReader]:
    def opened() -> io.BufferedReader:
        stream = archive.extractfile(one)
        return cast("io.BufferedReader", stream)

    return opened


def _zip(path: str) -> Iterator[Member]:
    with opened(path) as raw, zipfile.ZipFile(raw) as archive:
        for one in archive.infolist():
            if not one.is_dir():
                yield Member(_name(one.filename), one.file_size, 0.0, _zip_opener(archive, one))


def _zip_opener(archive: zipfile.ZipFile, one: zipfile.ZipInfo) -> Callable[[], io.BufferedReader]:
    def opened() -> io.BufferedReader:
        try:
            return io.BufferedReader(cast("io.RawIOBase", archive.open(one)))
        except (RuntimeError, zipfile.BadZipFile, NotImplementedError) as error:
            raise OSError(str(error)) from error

    return opened


def _name(name: str) -> str:
    return str(PurePosixPath(name)).lstrip("/")
