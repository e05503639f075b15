"""What a scan keeps of a log: its ends, its hits and its errors, within bounds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fixbook.log.scan import MOST_HITS, TAIL, scanner_for
from fixbook.log.signatures import Index, index_from

if TYPE_CHECKING:
    from fixbook.log.scanned import Scan

_ROW = {"specific": True, "secondary": False, "echo": False, "context": [], "unless": []}
INDEX: Index = index_from(
    {
        "matchers": [
            _ROW
            | {"owner": "widget", "name": "overflow", "pattern": r"WIDGET \d+ overflowed"}
            | {"same": [], "differ": [], "literals": ["overflowed"]}
        ],
        "causes": {},
        "surroundings": {},
    }
)


def scanned(*chunks: bytes) -> Scan:
    return scanner_for(INDEX).scan(chunks, "train.log")


def test_the_head_is_of_the_first_part_and_the_tail_of_the_last() -> None:
    found = scanned(b"first\n", b"second\n", b"third\n")
    assert (found.head, found.tail) == (b"first\n", b"first\nsecond\nthird\n")
    assert (found.lines, found.before) == (3, 0)


def test_a_long_log_keeps_its_end_and_counts_what_stands_before_it() -> None:
    line = b"x" * 1023 + b"\n"
    lines = TAIL // len(line)
    found = scanned(line * (lines + 100), b"the end\n")
    assert found.tail.endswith(b"the end\n")
    assert len(found.tail) == TAIL
    assert found.lines == lines + 101
    assert found.before == found.lines - found.tail.count(b"\n")


def test_an_error_is_kept_twice_for_a_rank() -> None:
    said = b"[rank%d]: RuntimeError: no widget here\n"
    found = scanned(said % 0 * 5, said % 1 * 5)
    assert [hit.line.rank for hit in found.errors] == [0, 0, 1, 1]


def test_an_error_of_a_compiler_keeps_what_stands_before_it() -> None:
    found = scanned(b"nvcc -c widget.cu\nwidget.cu(3): error: identifier w is undefined\n")
    (error,) = found.errors
    assert error.context.before == b"nvcc -c widget.cu\n"


def test_letters_count_unless_they_are_folded() -> None:
    text = (b"widget 3 overflowed\n",)
    assert scanned(*text).hits == []
    assert len(scanner_for(INDEX, folded=True).scan(text, "train.log").hits) == 1
    assert len(scanned(b"WIDGET 3 overflowed\n").hits) == 1


def test_hits_of_many_ranks_have_an_end() -> None:
    lines = [b"[rank%d]: WIDGET 3 overflowed\n" % rank for rank in range(MOST_HITS + 90)]
    assert len(scanned(*lines).hits) == MOST_HITS
