"""Read the jobs of a partition and decide each: what one process does, with the compiled index."""

from __future__ import annotations

import tarfile
import zipfile
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fixbook.book_root import book_root
from fixbook.index.cache import index_rows
from fixbook.log.diagnose import decide
from fixbook.log.reading import Source, chunks_in, chunks_of
from fixbook.log.scan import scanner_for
from fixbook.log.signatures import index_from
from fixbook.problem import BookError, Problem
from fixbook.triage import store
from fixbook.triage.answer import Read, row_of
from fixbook.triage.archive import members_of
from fixbook.triage.files import TORN, reason_of
from fixbook.triage.remote import StoreLostError, is_remote
from fixbook.triage.remote_read import opened

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fixbook.triage.archive import Member
    from fixbook.triage.listing import Job, Log, Partition


@dataclass(frozen=True, slots=True)
class Done:
    """A partition that was written.

    Attributes:
        name: Its name.
        logs: How many logs it holds.
        size: Their bytes.
    """

    name: str
    logs: int
    size: int


class Worker:
    """What reads partitions; it compiles the book once."""

    def __init__(self, out: Path, *, text: bool) -> None:
        """Compile the book.

        Args:
            out: The folder of the answer.
            text: Whether redacted lines of the logs are kept.
        """
        self.out, self.text = out, text
        self._index = index_from(index_rows(book_root()))
        self._scanner = scanner_for(self._index)

    def partition(self, asked: Partition) -> Done:
        """Read a partition and write its rows.

        Raises:
            BookError: They cannot be written.
        """
        store.write(self.out, asked.name, self.rows(asked))
        logs = sum(len(job.logs) for job in asked.jobs)
        return Done(asked.name, logs, asked.size)

    def rows(self, asked: Partition) -> list[dict[str, Any]]:
        """Return the rows of a partition, in the order of its jobs."""
        if asked.archive:
            return self._archive(asked)
        return [self.row(job) for job in asked.jobs]

    def row(self, job: Job) -> dict[str, Any]:
        """Return the row of a job whose logs are files."""
        read = Read(job)
        for log in job.logs:
            if log.refused:
                read.refused.append(log)
            else:
                self._scan(read, log, _chunks(log, read.notes))
        return self._decided(read)

    def _scan(self, read: Read, log: Log, chunks: Iterator[bytes]) -> None:
        try:
            read.scans.append(self._scanner.scan(_whole(chunks, read.notes), log.name, log.rank))
        except StoreLostError:
            raise
        except BookError as error:
            read.notes.append(error.problems[0].what)
        except Exception as error:  # noqa: BLE001  (whatever a file does, it costs itself)
            read.notes.append(f"{type(error).__name__}: {error}"[:300])

    def _decided(self, read: Read) -> dict[str, Any]:
        try:
            return row_of(read, decide(read.scans, self._index), text=self.text)
        except Exception as error:  # noqa: BLE001  (as above)
            read.notes.append(f"{type(error).__name__}: {error}"[:300])
            read.scans.clear()
            return row_of(read, None, text=self.text)

    def _archive(self, asked: Partition) -> list[dict[str, Any]]:
        """Read an archive once; a job is decided as soon as its last log was read."""
        jobs = [Read(job) for job in asked.jobs]
        of = {log.member: (read, log) for read in jobs for log in read.job.logs if log.member}
        left = Counter({id(read): sum(bool(log.member) for log in read.job.logs) for read in jobs})
        rows: dict[int, dict[str, Any]] = {}
        with suppress(OSError):  # it was listed as torn; what stands before that counts
            for member in members_of(asked.archive):
                read, log = of.pop(member.name, (None, None))
                if read is None or log is None:
                    continue
                self._member(read, log, member)
                left[id(read)] -= 1
                if not left[id(read)]:
                    rows[id(read)] = self._decided(read)
                    read.scans.clear()
        for read in jobs:  # what was not met any more
            if id(read) not in rows:
                read.notes += [TORN] if not read.refused else []
                rows[id(read)] = self._decided(read)
        return [rows[id(read)] for read in jobs]

    def _member(self, read: Read, log: Log, member: Member) -> None:
        if log.refused:
            read.refused.append(log)
            return
        try:
            with member.opened() as raw:
                self._scan(read, log, chunks_in(raw, log.name, read.notes))
        except OSError as error:
            read.notes.append(str(error)[:300])


def _chunks(log: Log, notes: list[str]) -> Iterator[bytes]:
    if not is_remote(log.path):
        yield from chunks_of(Source(log.name, Path(log.path), log.rank), notes)
        return
    try:
        raw = opened(log.path)
    except OSError as error:
        raise BookError([Problem(log.name, reason_of(error))]) from None
    with raw:
        yield from chunks_in(raw, log.name, notes)


def _whole(chunks: Iterator[bytes], notes: list[str]) -> Iterator[bytes]:
    """Pass a log on up to where its archive breaks off."""
    try:
        yield from chunks
    except (tarfile.TarError, zipfile.BadZipFile) as error:
        notes.append(str(error))
