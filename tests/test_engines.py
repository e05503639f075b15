"""The engines that look for literals find the same lines, so that answers do not depend on them."""

from __future__ import annotations

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from itertools import islice

import pytest

from bench.healthy_logs import healthy_logs
from fixbook.index.build import pattern_rows
from fixbook.log.prefilter import (
    WORTH_IT,
    HyperscanPrefilter,
    LazyPrefilter,
    PlainPrefilter,
    Prefilter,
    Re2Prefilter,
)
from tests.real_book import usable_book

LITERALS = (b"out of memory", b"memory", b"Error: ", b"\xe6\x98\xbe", b"(x|y)[", b"aaaa")
# Share of the lines of healthy logs; each line that holds a literal is cleaned and matched.
MOST_COMMON = 0.005
TEXT = (
    b"CUDA out of memory\nout of memor\nan Error: out of memory\n"
    + "显存不足\n".encode()
    + b"(x|y)[0]\naaaaaaaa\n\n\xff\xfe Error: \nno line feed: memory"
)


def _lines(prefilter: Prefilter, chunk: bytes) -> set[tuple[int, int]]:
    """Number of the line and index of the literal, for every hit."""
    return {(chunk.count(b"\n", 0, end), index) for end, index in prefilter.find(chunk)}


@pytest.fixture(params=[Re2Prefilter, HyperscanPrefilter, LazyPrefilter])
def kind(request: pytest.FixtureRequest) -> type[Re2Prefilter | HyperscanPrefilter | LazyPrefilter]:
    pytest.importorskip(
        {"Re2Prefilter": "re2", "HyperscanPrefilter": "hyperscan"}.get(request.param.__name__, "re")
    )
    found: type[Re2Prefilter | HyperscanPrefilter | LazyPrefilter] = request.param
    return found


def test_small(kind: type[Re2Prefilter | HyperscanPrefilter | LazyPrefilter]) -> None:
    assert _lines(kind(LITERALS), TEXT) == _lines(PlainPrefilter(LITERALS), TEXT)
    assert kind(LITERALS).find(b"") == []


def test_offsets_end_where_the_literal_ends(
    kind: type[Re2Prefilter | HyperscanPrefilter | LazyPrefilter],
) -> None:
    hits = kind(LITERALS).find(TEXT)
    assert {index for _, index in hits} == {i for i, one in enumerate(LITERALS) if one in TEXT}
    for end, index in hits:
        assert TEXT[:end].endswith(LITERALS[index])


def test_many_threads(kind: type[Re2Prefilter | HyperscanPrefilter | LazyPrefilter]) -> None:
    """Steps that run side by side, and an agent's calls, look through logs at the same time."""
    prefilter, chunk = kind(LITERALS), (b"step 1 of 2: loss 0.5\n" * 500 + TEXT) * 50
    expected = PlainPrefilter(LITERALS).find(chunk)
    with ThreadPoolExecutor(4) as pool:
        for found in pool.map(prefilter.find, [chunk] * 16):
            assert found == expected


def test_the_book(kind: type[Re2Prefilter | HyperscanPrefilter | LazyPrefilter]) -> None:
    rows = pattern_rows(usable_book())
    found = {literal.encode() for row in rows["matchers"] for literal in row["literals"]}
    literals = tuple(sorted(found | {b"Error: "}))
    healthy = "".join(text[:40_000] for _, text in islice(healthy_logs(), 30)).encode()
    chunk = healthy + b"\n".join(literals) + b"\n" + healthy
    assert len(chunk) > WORTH_IT
    assert _lines(kind(literals), chunk) == _lines(PlainPrefilter(literals), chunk)


def test_no_literal_is_common() -> None:
    rows = pattern_rows(usable_book())
    owners = {literal: row["owner"] for row in rows["matchers"] for literal in row["literals"]}
    for pattern, literals in rows["surroundings"].items():
        owners |= dict.fromkeys(literals, pattern)
    prefilter = LazyPrefilter([literal.encode() for literal in owners])
    lines, counts = 0, Counter[int]()
    for _, text in healthy_logs():
        chunk = text.encode()
        lines += chunk.count(b"\n")
        counts.update(index for _, index in prefilter.find(chunk))
    common = {at for at, count in counts.items() if count > MOST_COMMON * lines}
    assert {one: owner for at, (one, owner) in enumerate(owners.items()) if at in common} == {}
