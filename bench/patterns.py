"""Measure how long each pattern of the book takes on a line of 100 kB made to be hard for it.

    python -m bench.patterns

Ends with 1 if one takes longer than it may. Run it where nothing else runs.
"""

from __future__ import annotations

import re
import sys
import time

from fixbook.book import load_book
from fixbook.gates.patterns import searched
from fixbook.log.literals import required_literals

BUDGET_S = 0.010
_LINE = 100_000
_SHOWN = 10
# Lines that make careless patterns backtrack: one character, words, numbers, a path, brackets.
_HARD_SEEDS = ("a", " ", "0", "ab ", "12,", "/a.b", "[(", "a=1:")


def slowest_search(pattern: str) -> float:
    """Return the processor seconds of the slowest search over hard lines of 100 kB.

    Lines grow step by step and the search ends with the first that is too slow, since a pattern
    that backtracks without bound would not come back from a long one.
    """
    compiled = re.compile(pattern)
    slowest = 0.0
    for seed in (*_HARD_SEEDS, *_seeds_of(pattern)):
        size = 16.0
        while size < _LINE and slowest <= BUDGET_S:
            size = min(size * 1.25, _LINE)
            line = (seed * (int(size) // len(seed) + 1))[: int(size)]
            slowest = max(slowest, _seconds(compiled, line))
    return slowest


def _seeds_of(pattern: str) -> list[str]:
    """The pattern's own literals, which are the likeliest to start a match."""
    words = sorted(set(re.findall(r"[A-Za-z_ ]{4,}", pattern)), key=len)[-3:]
    return [*required_literals(pattern), *words]


def _seconds(compiled: re.Pattern[str], line: str) -> float:
    """Time a search, best of three where it looks slow: other processes take the machine too."""
    best = float("inf")
    for _ in range(3):
        began = time.thread_time()
        compiled.search(line)
        best = min(best, time.thread_time() - began)
        if best <= BUDGET_S:
            break
    return best


def main() -> int:
    """Measure and print the slowest."""
    places = {pattern: where for where, pattern in searched(load_book(strict=False))}
    # None may show that what follows is able to find one.
    careless = slowest_search(r"(a+)+[ab]+ overflowed$")
    if careless <= BUDGET_S:
        sys.exit(f"a pattern known to backtrack took {careless * 1000:.1f} ms: nothing is measured")
    rows = sorted(((slowest_search(pattern), pattern) for pattern in places), reverse=True)
    for seconds, pattern in rows[:_SHOWN]:
        print(f"{seconds * 1000:6.2f} ms  {places[pattern]}  {pattern!r}")
    slow = [row for row in rows if row[0] > BUDGET_S]
    print(f"{len(rows)} patterns, {len(slow)} above {BUDGET_S * 1000:.0f} ms")
    if slow:
        print("bound repetitions, and start with a literal")
    return 1 if slow else 0


if __name__ == "__main__":
    sys.exit(main())
