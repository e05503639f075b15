"""Scan one log for everything that diagnosis needs, in one pass and bounded memory."""

from __future__ import annotations

import functools
import re
from dataclasses import replace
from typing import TYPE_CHECKING

from fixbook.log.context import CONTEXT, Context, lines_before
from fixbook.log.disguise import ESCAPES, NO_BREAK, disguises_of, straight
from fixbook.log.errors import ERROR, ERROR_LITERALS, FIRST_ERROR
from fixbook.log.normalise import LogLine, clean_line, parts_of, windows
from fixbook.log.places import Place, lines_with_hits, rank_about
from fixbook.log.prefilter import prefilter_for
from fixbook.log.quoted import AGAIN, CODE, in_chat, in_data
from fixbook.log.scanned import ERRORS, NO_CONTEXT, Hit, Scan
from fixbook.log.signatures import compiled
from fixbook.log.source_lines import RAISES, source_line_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from fixbook.log.signatures import Index

# First hits decide; a symptom that repeats for every rank and step is not worth more.
MOST_HITS = 512
MOST_ERRORS = 40
MOST_SAME = 2  # of a rank: what handles an error may raise it again; see `Scan.errors`
# Bytes of the end of a log that are kept for a second try.
TAIL = 512 * 1024


@functools.lru_cache(maxsize=4)
def scanner_for(index: Index, *, folded: bool = False) -> Scanner:
    """Return the scanner of an index, which is made once: that takes longer than a short log."""
    return Scanner(index, folded=folded)


class Scanner:
    """Scans logs with one index; it can be used for many logs.

    Args:
        index: What to look for.
        folded: True to take capital and small letters for the same.
    """

    def __init__(self, index: Index, *, folded: bool = False) -> None:
        watched = index.literals
        self._jobs: list[int | str] = [*range(len(index.matchers)), *watched]
        self._patterns = [*(matcher.pattern for matcher in index.matchers), *watched]
        self._folded = folded
        self._echoes = [matcher.echo for matcher in index.matchers]
        by_literal: dict[bytes, list[int]] = {}
        for number, job in enumerate(self._jobs):
            literals = index.matchers[job].literals if isinstance(job, int) else index.literals[job]
            for literal in literals:
                for form in disguises_of(literal):
                    by_literal.setdefault(self._bytes(form.encode()), []).append(number)
        for literal in ERROR_LITERALS:
            by_literal.setdefault(self._bytes(literal.encode()), [])
        self._by_literal = list(by_literal.values())
        errors = {self._bytes(literal.encode()) for literal in ERROR_LITERALS}
        self._errors = {at for at, literal in enumerate(by_literal) if literal in errors}
        self._prefilter = prefilter_for(tuple(by_literal))

    def _bytes(self, raw: bytes) -> bytes:
        return raw.lower() if self._folded else raw

    def scan(self, chunks: Iterable[bytes], source: str, rank: int | None = None) -> Scan:
        """Scan a log.

        Args:
            chunks: Its bytes, in chunks that end at a line feed.
            source: Its name.
            rank: The rank its path names; used where a line names none.
        """
        result = Scan(source, rank)
        raw, kept = b"\n", b""
        idle, known = set[int](), 0
        for raw in chunks:
            chunk = ESCAPES_BYTES.sub(b"", raw) if b"\x1b" in raw else raw
            if b"\xc2" in chunk and NO_BREAK in chunk:
                chunk = chunk.replace(NO_BREAK, b" ")
            chunk = straight(chunk)
            position = number = 0
            found = self._prefilter.find(self._bytes(chunk))
            if len(result.found) > known:
                known, idle = len(result.found), self._idle(result.found)
            found = [hit for hit in found if hit[1] not in idle]
            for start, end, literals in lines_with_hits(chunk, found):
                number += chunk.count(b"\n", position, start)
                position = start
                text = chunk[start:end].decode("utf-8", errors="replace")
                jobs = {job for literal in literals for job in self._by_literal[literal]}
                at = result.lines + number + 1
                error = not self._errors.isdisjoint(literals)
                place = Place(at, chunk, start, end, error, kept)
                self._look(text, sorted(jobs), place, result)
            result.lines += number + chunk.count(b"\n", position)
            result.head = result.head or chunk[:CONTEXT]
            kept = chunk if len(chunk) >= TAIL else (kept + chunk)[-2 * TAIL :]
        result.tail = kept[-TAIL:]
        result.before = result.lines - result.tail.count(b"\n")
        result.lines += not raw.endswith(b"\n")
        return result

    def _idle(self, found: set[str]) -> set[int]:
        """Return the literals that nothing looks for any more."""
        return {
            at
            for at, jobs in enumerate(self._by_literal)
            if at not in self._errors and all(self._jobs[job] in found for job in jobs)
        }

    def _look(self, text: str, jobs: list[int], place: Place, result: Scan) -> None:
        """Match one raw line, part by part, and keep what was found."""
        for part in parts_of(text):
            message, rank = clean_line(part)
            for window in windows(message):
                matches = self._match(window, jobs, result)
                error = not matches and place.error and _is_error(window, result)
                if not matches and not error:
                    continue
                if in_chat(place.chunk, place.start):
                    result.quoted.add(place.number)
                    continue
                if rank is None:
                    rank = rank_about(message, place)
                    rank = result.rank if rank is None else rank
                line = LogLine(place.number, window, rank)
                if error:
                    _keep_error(line, place, result)
                elif matches:
                    _keep_hits(line, matches, place, result)

    def _match(self, text: str, jobs: list[int], result: Scan) -> list[tuple[int, dict[str, str]]]:
        """Return the matchers that match, with what they capture; note surroundings."""
        matches = []
        again = AGAIN.search(text) is not None
        for number in jobs:
            job = self._jobs[number]
            match = compiled(self._patterns[number], folded=self._folded).search(text)
            if match is None or in_data(text, match.start()):
                continue
            if isinstance(job, int):
                if again and self._echoes[job]:
                    continue
                found = {name: value for name, value in match.groupdict().items() if value}
                matches.append((job, found))
            else:
                result.found.add(job)
        return matches


def _is_error(text: str, result: Scan) -> bool:
    if ERROR.match(text):
        return True
    return not result.first and FIRST_ERROR.match(text) is not None


def _keep_hits(
    line: LogLine, matches: list[tuple[int, dict[str, str]]], place: Place, result: Scan
) -> None:
    """Keep what matched a line; of a source line it stands for the exception that it raised."""
    code = RAISES.match(line.text) is not None
    source = source_line_of(line, place, result.rank)
    if source is not None:
        if source.error is None:
            return
        line, place, code = source.error, source.place, True
    for matcher, captures in matches:
        result.last[matcher] = line.number
        key = matcher, line.rank, code or CODE.match(line.text) is not None
        if key not in result.met and len(result.hits) < MOST_HITS:
            result.hits.append(replace(_hit(matcher, line, captures, place, result), code=code))
        result.met.add(key)


def _hit(matcher: int, line: LogLine, captures: dict[str, str], place: Place, result: Scan) -> Hit:
    """Return a hit; an exception keeps what stands before it."""
    context = NO_CONTEXT
    if matcher < 0 or ERROR.match(line.text):
        before = lines_before(place.earlier, place.chunk, place.start)
        context = Context(before, result.rank)
    return Hit(matcher, line, captures, place.moment, result.source, context)


def _keep_error(line: LogLine, place: Place, result: Scan) -> None:
    """Keep an error, each text twice for a rank at most, and of compilers the first."""
    key = line.text, line.rank
    result.last[ERRORS] = line.number
    if len(result.errors) < MOST_ERRORS and result.said[key] < MOST_SAME:
        result.said[key] += 1
        result.first = result.first or not ERROR.match(line.text)
        result.errors.append(_hit(-1, line, {}, place, result))


ESCAPES_BYTES = re.compile(ESCAPES.pattern.encode())
