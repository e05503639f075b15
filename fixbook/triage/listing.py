"""The list of all logs, on disk: put in order by job without holding it in memory."""

from __future__ import annotations

import hashlib
import itertools
import json
import os
import sqlite3
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from fixbook.problem import BookError, Problem
from fixbook.text import _
from fixbook.triage.files import logs_of
from fixbook.triage.layout import place_of
from fixbook.triage.scheduler import Meta, jobs_in

if TYPE_CHECKING:
    import re
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from fixbook.triage.files import LogFile

MOST_JOBS, MOST_SIZE = 256, 64 * 1024**2  # of a partition; a larger job is one by itself
_TABLES = """
CREATE TABLE log (archive BLOB, job BLOB, attempt INT, rank INT, name BLOB, path BLOB, member BLOB,
  size INT, changed REAL, node TEXT, number TEXT, refused TEXT);
CREATE TABLE meta (number TEXT PRIMARY KEY, told TEXT);
"""
_ORDER = "SELECT * FROM log ORDER BY archive, job, attempt, rank IS NULL, rank, name"


@dataclass(frozen=True, slots=True)
class Log:
    """One log of a job."""

    path: str
    member: str
    name: str
    size: int
    changed: float
    rank: int | None
    node: str
    refused: str


@dataclass(frozen=True, slots=True)
class Job:
    """The logs of one start of a job.

    Attributes:
        name: What the logs have in common.
        attempt: Which start it is, from 0.
        logs: Its logs, by rank.
        meta: What its scheduler knows.
    """

    name: str
    attempt: int
    logs: tuple[Log, ...]
    meta: Meta


@dataclass(frozen=True, slots=True)
class Partition:
    """Jobs that are read together and written as one file.

    Attributes:
        name: A digest of all that its answer depends on.
        jobs: The jobs, in order.
        archive: The archive that all of them stand in; empty if they are files.
        size: Bytes of all logs.
    """

    name: str
    jobs: tuple[Job, ...]
    archive: str
    size: int


class Listing:
    """All logs of a run, in a file beside the output."""

    def __init__(self, base: sqlite3.Connection) -> None:
        self._base = base
        self.logs, self.size = 0, 0

    def add(
        self, names: Sequence[str], pattern: re.Pattern[str] | None, *, anonymous: bool = False
    ) -> None:
        """List the logs under what was named.

        Raises:
            BookError: Something that was named does not exist.
        """
        files = logs_of(names, anonymous=anonymous)
        rows = (self._row(file, pattern) for file in files)
        self._base.executemany(f"INSERT INTO log VALUES ({','.join('?' * 12)})", rows)  # noqa: S608
        count = "SELECT count(*), coalesce(sum(size), 0) FROM log"
        self.logs, self.size = self._base.execute(count).fetchone()

    def any(self) -> bool:
        """Tell whether there is anything, be it refused."""
        return self._base.execute("SELECT 1 FROM log LIMIT 1").fetchone() is not None

    def tell(self, path: Path) -> None:
        """Add what a scheduler knows.

        Raises:
            BookError: The file is not what it should be.
        """
        rows = ((number, json.dumps(asdict(meta))) for number, meta in jobs_in(path))
        self._base.executemany("INSERT OR REPLACE INTO meta VALUES (?, ?)", rows)

    def partitions(self, depends: str) -> Iterator[Partition]:
        """Yield the partitions, always the same for the same logs.

        Args:
            depends: What answers depend on beside the logs: the book, the options.
        """
        for archive, jobs in itertools.groupby(self._jobs(), key=lambda pair: pair[0]):
            kept: list[Job] = []
            size = 0
            for _archive, job in jobs:
                more = sum(log.size for log in job.logs)
                full = len(kept) >= MOST_JOBS or size + more > MOST_SIZE
                if kept and full and not archive:  # an archive is read in one pass
                    yield _partition(kept, archive, size, depends)
                    kept, size = [], 0
                kept.append(job)
                size += more
            yield _partition(kept, archive, size, depends)

    def _jobs(self) -> Iterator[tuple[str, Job]]:
        rows = self._base.execute(_ORDER)
        for (archive, job, attempt), group in itertools.groupby(rows, key=lambda row: row[:3]):
            logs, numbers = [], set()
            for row in group:
                rank, name, path, member, size, changed, node, number, refused = row[3:]
                place = (os.fsdecode(path), os.fsdecode(member), os.fsdecode(name))
                logs.append(Log(*place, size, changed, rank, node, refused))
                numbers.add(number)
            meta = self._meta(next(iter(numbers)) if len(numbers) == 1 else "")
            yield os.fsdecode(archive), Job(os.fsdecode(job), attempt, tuple(logs), meta)

    def _meta(self, number: str) -> Meta:
        told = (
            number
            and self._base.execute("SELECT told FROM meta WHERE number = ?", (number,)).fetchone()
        )
        if not told:
            return Meta()
        row = json.loads(told[0])
        return Meta(**(row | {"nodes": tuple(row["nodes"])}))

    @staticmethod
    def _row(file: LogFile, pattern: re.Pattern[str] | None) -> tuple[object, ...]:
        place = place_of(file.name, pattern)
        archive = file.path if file.member else ""
        job = file.name if file.refused else place.job
        return (
            *(os.fsencode(archive), os.fsencode(job), place.attempt, place.rank),
            *(os.fsencode(file.name), os.fsencode(file.path), os.fsencode(file.member)),
            *(file.size, file.changed, place.node, place.number, file.refused),
        )


@contextmanager
def listing(folder: Path) -> Iterator[Listing]:
    """Open a new list in a folder; it is gone afterwards.

    Raises:
        BookError: There is no room for it.
    """
    path = folder / ".listing.db"
    path.unlink(missing_ok=True)
    try:
        with closing(sqlite3.connect(path)) as base:
            base.executescript("PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF;" + _TABLES)
            yield Listing(base)
    except sqlite3.Error as error:  # a full disk is one of them
        what = _("the list of logs cannot be written: {reason}").format(reason=error)
        mend = _("make room, or name another folder with --out; finished partitions are kept")
        raise BookError([Problem(str(path), what, mend)]) from None
    finally:
        path.unlink(missing_ok=True)


def _partition(jobs: list[Job], archive: str, size: int, depends: str) -> Partition:
    state = hashlib.sha256(depends.encode())
    for job in jobs:
        state.update(repr(job).encode())  # names that are no UTF-8 are escaped there
    return Partition(state.hexdigest()[:24], tuple(jobs), archive, size)
