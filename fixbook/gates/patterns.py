"""Every pattern runs in linear time and means the same in every implementation."""

from __future__ import annotations

import re
import time
from typing import TYPE_CHECKING

from fixbook.log.literals import MIN_LENGTH, required_literals
from fixbook.problem import Problem

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fixbook.book import Book

BUDGET_S = 0.010
_LINE = 100_000
# Lines that make careless patterns backtrack: one character, words, numbers, a path, brackets.
_HARD_SEEDS = ("a", " ", "0", "ab ", "12,", "/a.b", "[(", "a=1:")


def portable_patterns(book: Book) -> Iterator[Problem]:
    """Check syntax against RE2 and time against a 100 kB line."""
    for where, pattern in _patterns(book):
        reason = _not_re2(pattern)
        if reason:
            mend = "RE2 has no look-around and no back-references; use context/unless instead"
            yield Problem(where, f"{pattern!r} is not RE2: {reason}", mend)
        if not required_literals(pattern):
            what = f"{pattern!r} can match without any literal of {MIN_LENGTH} characters"
            yield Problem(where, what, "put literal text in; lines are chosen by it")
        slowest = slowest_search(pattern)
        if slowest > BUDGET_S:
            what = f"{pattern!r} takes {slowest * 1000:.0f} ms on a 100 kB line"
            mend = f"stay under {BUDGET_S * 1000:.0f} ms: bound repetitions, start with a literal"
            yield Problem(where, what, mend)


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


def _not_re2(pattern: str) -> str | None:
    try:
        import re2  # noqa: PLC0415  (a tool of the suite, not of the library)
    except ModuleNotFoundError:
        return None
    options = re2.Options()
    options.log_errors = False
    try:
        re2.compile(pattern, options)
    except re2.error as error:
        reason = error.args[0]
        return reason.decode() if isinstance(reason, bytes) else str(reason)
    return None


def _patterns(book: Book) -> Iterator[tuple[str, str]]:
    for item in book.entries.values():
        for index, signature in enumerate(item.entry.signatures):
            where = item.source.where(("signatures", index))
            for pattern in (signature.pattern, *signature.context, *signature.unless):
                yield where, pattern
        for name, step in item.entry.steps.items():
            if step.fails and step.fails.log:
                yield item.source.where(("steps", name, "fails")), step.fails.log
    for name, symptom in book.symptoms.items():
        for pattern in symptom.patterns:
            yield f"symptoms/{name}.yaml", pattern
