"""A triage from the names of logs to the folder of its answer."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from filelock import FileLock, Timeout

from fixbook import __version__
from fixbook.book_root import book_root
from fixbook.index.cache import index_rows
from fixbook.problem import BookError, Problem
from fixbook.text import _
from fixbook.triage import store
from fixbook.triage.layout import pattern_of
from fixbook.triage.listing import Listing, Partition, listing
from fixbook.triage.row import SCHEMA_VERSION
from fixbook.triage.worker import Done

if TYPE_CHECKING:
    from pathlib import Path

Read = Callable[[Iterator[Partition]], Iterator[Done]]
Watch = Callable[["Progress"], None]


@dataclass(frozen=True, slots=True)
class Asked:
    """What to read, and where the answer goes.

    Attributes:
        names: Folders, archives, files, patterns.
        out: The folder of the answer.
        job_pattern: How names tell the job; empty for the known layouts.
        schedulers: What ``sacct --json`` printed.
        text: Whether redacted lines of the logs are kept.
        anonymous: Whether stores are asked without credentials.
    """

    names: tuple[str, ...]
    out: Path
    job_pattern: str = ""
    schedulers: tuple[Path, ...] = ()
    text: bool = True
    anonymous: bool = False


@dataclass(slots=True)
class Progress:
    """How far a triage is.

    Attributes:
        logs: How many there are.
        size: Their bytes.
        logs_done: How many have an answer.
        size_done: Their bytes.
        kept: How many of those an earlier run had answered.
        size_kept: Their bytes.
    """

    logs: int
    size: int
    logs_done: int = 0
    size_done: int = 0
    kept: int = 0
    size_kept: int = 0


def triage(asked: Asked, read: Read, watch: Watch) -> Progress:
    """Read all logs; what an earlier run has finished is not read again.

    Args:
        asked: What to read.
        read: Reads partitions: `fixbook.triage.local.read_here`, or the same elsewhere.
        watch: Called whenever a partition is done.

    Raises:
        BookError: Something cannot be read or written; what was finished is kept.
    """
    pattern = pattern_of(asked.job_pattern) if asked.job_pattern else None
    _make(asked.out)
    with _alone(asked.out), listing(asked.out) as listed:
        listed.add(asked.names, pattern, anonymous=asked.anonymous)
        for path in asked.schedulers:
            listed.tell(path)
        progress = Progress(listed.logs, listed.size)
        if not listed.any():
            mend = _("name the folder that the logs lie in")
            raise BookError([Problem(", ".join(asked.names), _("holds no log"), mend)])
        return _read(asked, listed, read, progress, watch)


def _read(asked: Asked, listed: Listing, read: Read, progress: Progress, watch: Watch) -> Progress:
    names: set[str] = set()

    def left() -> Iterator[Partition]:
        for one in listed.partitions(_depends(text=asked.text)):
            names.add(one.name)
            if not store.is_done(asked.out, one.name):
                yield one
                continue
            logs = sum(len(job.logs) for job in one.jobs)
            progress.kept += logs
            progress.size_kept += one.size
            _count(progress, Done(one.name, logs, one.size))
            watch(progress)

    for done in read(left()):
        _count(progress, done)
        watch(progress)
    store.remove_others(asked.out, names)
    return progress


def _count(progress: Progress, done: Done) -> None:
    progress.logs_done += done.logs
    progress.size_done += done.size


def _depends(*, text: bool) -> str:
    """All that an answer depends on beside the logs: the book, this program, the options."""
    book = json.dumps(index_rows(book_root()), sort_keys=True).encode()
    digest = hashlib.sha256(book).hexdigest()
    return json.dumps([SCHEMA_VERSION, __version__, digest, text])


def _make(folder: Path) -> None:
    try:
        (folder / store.PARTS).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        what = _("cannot be written: {reason}").format(reason=error.strerror)
        raise BookError([Problem(str(folder), what, _("name another folder with --out"))]) from None


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    try:
        with FileLock(folder / ".lock", timeout=0):
            yield
    except Timeout:
        what, mend = _("another triage writes there"), _("wait for it, or name another --out")
        raise BookError([Problem(str(folder), what, mend)]) from None
