"""Read logs as they lie on disk: plain, gzip or zstd, in any encoding, of any size.

A log is read in chunks of whole lines, so that memory stays bounded whatever its size. Python
decodes nothing here: chunks stay bytes until a line is a candidate.
"""

from __future__ import annotations

import gzip
import io
import json
import re
import sys
import zlib
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import IO, TYPE_CHECKING, cast

from fixbook.log.normalise import OVERLAP
from fixbook.log.wide import decoded
from fixbook.problem import BookError, Problem
from fixbook.text import _

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from contextlib import AbstractContextManager

# Small enough to stay in the processor's cache while it is looked through several times.
CHUNK = 1024 * 1024
_GZIP, _ZSTD = b"\x1f\x8b", b"\x28\xb5\x2f\xfd"
RANK_IN_PATH = (
    re.compile(r"attempt_\d+/(\d{1,6})/std(?:out|err)\.log$", re.ASCII),  # torchrun --log-dir
    # A file of a rank, or the folder of one; "lora-rank2/" is no rank.
    re.compile(
        r"(?:^|[/._-])(?:global_)?rank[-_=]?(\d{1,6})(?:[._-][^/]*)?$", re.ASCII | re.IGNORECASE
    ),
    re.compile(r"(?:^|/)(?:global_)?rank[-_=]?(\d{1,6})/", re.ASCII | re.IGNORECASE),
    re.compile(r"slurm-\d+[_-](\d{1,6})\.(?:out|err)$", re.ASCII),  # one file a task
)
# In a folder of logs, files that are none.
SKIPPED = (
    *(".json", ".py", ".pt", ".pth", ".bin", ".safetensors"),
    *(".npy", ".npz", ".png", ".parquet", ".distcp"),
)
_STALL = "stall.txt"  # by `fixbook watch`, for people
_MOST_RECORD = 4 * 1024 * 1024
EVENTS = "tfevents"  # in the names of TensorBoard's files


@dataclass(frozen=True, slots=True)
class Source:
    """One log to read.

    Attributes:
        name: How it is called in answers.
        path: The file; None for standard input.
        rank: The rank that its path names, or None.
    """

    name: str
    path: Path | None
    rank: int | None = None


def sources_of(names: list[str], *, may_lack: bool = False) -> list[Source]:
    """Turn arguments into logs: files, directories of per-rank logs, or ``-``.

    Args:
        names: The arguments.
        may_lack: Whether a directory may hold no log, as it holds something else that is read.

    Raises:
        BookError: A file or directory does not exist, or a directory holds no log.
    """
    found: list[Source] = []
    for name in names:
        path = Path(name)
        if name == "-":
            found.append(Source("<stdin>", None))
        elif _is(path.is_dir):
            found += _in_directory(path, may_lack=may_lack)
        elif _is(path.exists):
            found.append(Source(name, path, rank_in(name)))
        else:
            mend = _("name a log file, a directory, or -")
            raise BookError([Problem(name, _("does not exist"), mend)])
    return found


def _is(answer: Callable[[], bool]) -> bool:
    """Ask about a path; one that is too long for the system is nothing."""
    try:
        return answer()
    except OSError:
        return False


def _in_directory(folder: Path, *, may_lack: bool) -> list[Source]:
    files = sorted(path for path in folder.rglob("*") if _is_log(path))
    if not files and not may_lack:
        mend = _("name the directory of the logs")
        raise BookError([Problem(str(folder), _("holds no log file"), mend)])
    of_watchers = {place: _watched_rank(place) for place in {path.parent for path in files}}
    several = []
    for path in files:
        rank = rank_in(path.relative_to(folder).as_posix())
        rank = of_watchers[path.parent] if rank is None else rank
        several.append(Source(str(path), path, rank))
    return sorted(several, key=lambda source: (source.rank is None, source.rank or 0, source.name))


def _watched_rank(folder: Path) -> int | None:
    """Return the rank of all that is in a folder of `fixbook watch`, where its record tells one."""
    record = folder / "watch.json"
    try:
        if record.stat().st_size <= _MOST_RECORD:
            rank = json.loads(record.read_bytes()).get("rank")
            return rank if isinstance(rank, int) and rank >= 0 else None
    except (OSError, ValueError, AttributeError, RecursionError):
        pass
    return None


def _is_log(path: Path) -> bool:
    none = path.suffix.lower() in SKIPPED or path.name.startswith(".") or EVENTS in path.name
    none = none or path.name == _STALL  # what it says is in the record, too
    return not none and path.is_file()


def rank_in(path: str) -> int | None:
    """Return the rank that a path names, as launchers lay their logs out."""
    for pattern in RANK_IN_PATH:
        match = pattern.search(path)
        if match:
            return int(match[1])
    return None


def chunks_of(source: Source, notes: list[str]) -> Iterator[bytes]:
    """Read a log in chunks that end at a line feed.

    Args:
        source: The log.
        notes: Receives a line if the log breaks off, as that of a running job may.

    Raises:
        BookError: It cannot be read at all.
    """
    return _chunks(_raw(source), source.name, notes)


def chunks_in(raw: io.BufferedReader, name: str, notes: list[str]) -> Iterator[bytes]:
    """Read a log that is open already, as a member of an archive is; see `chunks_of`.

    Args:
        raw: The bytes as they lie there, compressed or not.
        name: How it is called in answers.
        notes: Receives a line if the log breaks off.
    """
    return _chunks(nullcontext(raw), name, notes)


def _chunks(
    raw: AbstractContextManager[io.BufferedReader], name: str, notes: list[str]
) -> Iterator[bytes]:
    started = False
    try:
        with raw as packed, unpacked(packed) as stream:
            for chunk in whole_lines(decoded(partial(stream.read, CHUNK))):
                started = True
                yield chunk
    except (OSError, EOFError, zlib.error) as error:
        reason = getattr(error, "strerror", None) or str(error)
        if not started:
            what = _("cannot be read: {reason}").format(reason=reason)
            raise BookError([Problem(name, what, _("name a readable log"))]) from None
        notes.append(_("{name} breaks off: {reason}").format(name=name, reason=reason))


def whole_lines(parts: Iterator[bytes]) -> Iterator[bytes]:
    """Cut parts of any size into chunks that end at a line feed."""
    rest = b""
    for part in parts:
        cut = part.rfind(b"\n") + 1
        if cut:
            yield b"".join((rest, memoryview(part)[:cut]))
            rest = part[cut:]
        else:
            rest += part
        if len(rest) > 2 * CHUNK:  # one endless line
            yield rest
            rest = rest[-OVERLAP:]  # in both parts, so that no match is lost at the cut
    if rest:
        yield rest


@contextmanager
def _raw(source: Source) -> Iterator[io.BufferedReader]:
    if source.path is not None:
        with source.path.open("rb") as opened:
            yield opened
    elif isinstance(getattr(sys.stdin, "buffer", None), io.BufferedReader):
        yield cast("io.BufferedReader", sys.stdin.buffer)
    else:
        raise OSError(_("standard input is closed"))


@contextmanager
def unpacked(raw: io.BufferedReader) -> Iterator[IO[bytes]]:
    """Read what gzip or zstd has packed; anything else as it is.

    Raises:
        OSError: It is not what it begins like.
    """
    magic = raw.peek(len(_ZSTD))[: len(_ZSTD)]  # a pipe cannot be wound back
    if magic.startswith(_GZIP):
        with gzip.open(raw) as plain:
            yield cast("IO[bytes]", plain)
    elif magic == _ZSTD:
        # A dependency of this branch alone; most logs are plain.
        import zstandard  # noqa: PLC0415

        try:
            with zstandard.ZstdDecompressor().stream_reader(raw, read_across_frames=True) as plain:
                yield plain
        except zstandard.ZstdError as error:
            raise OSError(str(error)) from None
    else:
        yield raw
