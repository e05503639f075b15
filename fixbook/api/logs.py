"""Diagnose logs: which entry explains them, what to do, and what is not in the book."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fixbook.book_root import book_root
from fixbook.index.cache import index_rows
from fixbook.log.answer import answer_of
from fixbook.log.diagnose import decide
from fixbook.log.finder import Finder
from fixbook.log.question import MOST_BYTES
from fixbook.log.reading import chunks_of, sources_of, whole_lines
from fixbook.log.redact import without_secrets, without_values
from fixbook.log.scan import scanner_for

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from fixbook.log.diagnosis import Diagnosis
    from fixbook.log.reading import Source
    from fixbook.log.scanned import Scan
    from fixbook.log.unanswered import Unanswered
    from fixbook.run_files.run import Run
    from fixbook.text import Lang

SCHEMA_VERSION = 1


@dataclass(frozen=True, slots=True)
class Told:
    """What some logs, or a question, led to.

    Attributes:
        answer: The answer as plain data, without secrets; see `fixbook.log.answer.answer_of`.
        diagnosis: What it was made from.
        scans: The logs, scanned.
        notes: Logs that break off.
        unanswered: What is said where words lead to nothing; None for a log.
    """

    answer: dict[str, Any]
    diagnosis: Diagnosis
    scans: Sequence[Scan]
    notes: Sequence[str]
    unanswered: Unanswered | None


class Reader:
    """A book that is ready to read logs, compiled once.

    Attributes:
        rows: What a diagnosis needs of the book, as plain data.
        finder: The patterns, and the words that entries are found by.
    """

    def __init__(self, root: Path | None = None) -> None:
        """Compile what a diagnosis needs.

        Args:
            root: The book; by default `fixbook.book_root.book_root` decides.
        """
        self.rows = index_rows(root or book_root())
        self.finder = Finder(self.rows)

    @cached_property
    def _scanner(self) -> Any:
        return scanner_for(self.finder.index)

    def files(
        self,
        names: Sequence[str],
        lang: Lang,
        top: int = 3,
        weighing: Callable[[int], None] = lambda _size: None,
    ) -> Told:
        """Diagnose files, folders of a run, or standard input for ``-``, as one run.

        Args:
            names: The logs, and folders of logs and of what else a run leaves.
            lang: Language of the answer.
            top: How many runner-ups to name.
            weighing: Called with the length of each part of weights that was read, in bytes.

        Raises:
            BookError: A log cannot be read.
        """
        notes: list[str] = []
        run = _run_of(_folders(names), notes, weighing)
        sources = sources_of(list(names), may_lack=run is not None)
        if run is not None:
            sources = [source for source in sources if source.path not in run.dumps]
        scans, tail = self._scans(sources, notes)
        return self._told(scans, tail, notes, lang, top, run)

    def sources(
        self,
        sources: Iterable[Source],
        lang: Lang,
        top: int = 3,
        watch: Callable[[int], None] | None = None,
    ) -> Told:
        """Diagnose logs that were found already; see `files`.

        Args:
            sources: The logs.
            lang: Language of the answer.
            top: How many runner-ups to name.
            watch: Called with the length of each part that was read, in bytes; what it raises
                ends the reading.
        """
        notes: list[str] = []
        scans, tail = self._scans(sources, notes, watch)
        return self._told(scans, tail, notes, lang, top)

    def _scans(
        self,
        sources: Iterable[Source],
        notes: list[str],
        watch: Callable[[int], None] | None = None,
    ) -> tuple[list[Scan], bytes]:
        scans, tail = [], b""
        for source in sources:
            kept = _Tail(chunks_of(source, notes), watch)
            scans.append(self._scanner.scan(kept, source.name, source.rank))
            tail = kept.last or tail
        return scans, tail

    def text(self, text: str, lang: Lang, top: int = 3, name: str = "<text>") -> Told:
        """Diagnose a log, or a question, that is at hand as text; see `files`."""
        kept = _Tail(whole_lines(iter([text.encode(errors="replace")])))
        scan = self._scanner.scan(kept, name, None)
        return self._told([scan], kept.last, [], lang, top)

    def _told(
        self,
        scans: list[Scan],
        tail: bytes,
        notes: list[str],
        lang: Lang,
        top: int,
        run: Run | None = None,
    ) -> Told:
        finder = self.finder
        text = tail[-MOST_BYTES:].decode("utf-8", errors="replace")
        diagnosis = finder.by_words(decide(scans, finder.index), text)
        guesses = [] if diagnosis.best else finder.guesses(text, top)
        said = None if guesses or _explained(diagnosis) else finder.unanswered(text)
        if said:  # words are no line of a log, whatever they speak of
            diagnosis = replace(diagnosis, exception=None)
        answer = answer_of(diagnosis, self.rows, guesses, lang, top)
        if run is not None:
            from fixbook.run_files.answer import with_run  # noqa: PLC0415  (see `_run_of`)

            answer = with_run(answer, diagnosis, run, self.rows, lang)
        values = [
            (one.value, match.line.text) for match in diagnosis.matches for one in match.captures
        ]
        safe = without_values(without_secrets(answer), values)
        return Told(safe, diagnosis, scans, notes, said)

    def row(self, told: Told, lang: Lang) -> dict[str, Any]:
        """Return all of an answer as plain data: what ``--json`` prints."""
        row = {"schema_version": SCHEMA_VERSION} | told.answer
        if told.unanswered:
            from fixbook.log.unanswered import unanswered_row  # noqa: PLC0415  (of words alone)

            row |= unanswered_row(told.unanswered, self.rows, lang)
        return row


def _run_of(
    folders: Sequence[Path], notes: list[str], weighing: Callable[[int], None]
) -> Run | None:
    """What a run left in folders besides logs; None without a folder."""
    if not folders:
        return None
    from fixbook.run_files.run import runs_in  # noqa: PLC0415  (a log alone needs none of it)

    return runs_in(folders, notes, weighing)


def _folders(names: Sequence[str]) -> list[Path]:
    """The folders among names; a name that is too long for the system is none."""
    found = []
    for name in names:
        with suppress(OSError):
            if name != "-" and Path(name).is_dir():
                found.append(Path(name))
    return found


def _explained(diagnosis: Diagnosis) -> bool:
    card = diagnosis.exception
    return diagnosis.best is not None or (card is not None and card.certain)


class _Tail:
    """Passes chunks on and keeps the last one: what the run printed before it ended."""

    def __init__(self, chunks: Iterator[bytes], watch: Callable[[int], None] | None = None) -> None:
        self._chunks = chunks
        self._watch = watch
        self.last = b""

    def __iter__(self) -> Iterator[bytes]:
        for chunk in self._chunks:
            self.last = chunk
            if self._watch:
                self._watch(len(chunk))
            yield chunk


def diagnose(
    *names: str | Path, text: str | None = None, lang: Lang = "en", top: int = 3
) -> dict[str, Any]:
    """Say which entry explains logs; several are taken as the ranks of one run.

    Args:
        *names: Files, or folders of per-rank logs.
        text: A log, or a question, instead of files.
        lang: Language of the answer, ``en`` or ``zh``.
        top: How many runner-ups to name.

    Returns:
        What ``fixbook diagnose --json`` prints.

    Raises:
        BookError: A log cannot be read.
        ValueError: Neither files nor a text are given, or both.
    """
    if bool(names) == (text is not None):
        raise ValueError("give files, or a text")
    reader = Reader()
    told = (
        reader.files([str(one) for one in names], lang, top)
        if text is None
        else reader.text(text, lang, top)
    )
    return reader.row(told, lang)
