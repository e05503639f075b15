"""The literal text that every match of a pattern contains.

Looking for literals first makes diagnosis fast: a line without any of them is never looked at by
a regular expression.
"""

from __future__ import annotations

import re
from functools import cache
from re import _constants as op  # type: ignore[attr-defined]
from re import _parser  # type: ignore[attr-defined]
from typing import Any

MIN_LENGTH = 4


@cache  # a book that is looked at again has the patterns that it had
def required_literals(pattern: str) -> tuple[str, ...]:
    """Return literals of which every match contains at least one.

    Args:
        pattern: A regular expression.

    Returns:
        The literals, or nothing if the pattern can match without any of four bytes or more. Of a
        pattern that ignores case no literal is required: lines are searched for them as written.
    """
    tree = _parser.parse(pattern)
    if tree.state.flags & re.IGNORECASE:
        return ()
    return tuple(sorted(_best(tree) or ()))


def _best(tree: Any) -> frozenset[str] | None:
    """The most selective set of alternatives in a sequence: its shortest literal is longest."""
    found: list[frozenset[str]] = []
    run: list[str] = []

    def close() -> None:
        if _size("".join(run)) >= MIN_LENGTH:
            found.append(frozenset({"".join(run)}))
        run.clear()

    for code, value in tree:
        if code is op.LITERAL:
            run.append(chr(value))
            continue
        if code is op.AT:  # a boundary takes no room
            continue
        close()
        inside = _alternatives(code, value)
        if inside:
            found.append(inside)
    close()
    return max(found, key=lambda some: (min(map(_size, some)), -len(some)), default=None)


def _size(literal: str) -> int:
    """Bytes, as logs are read: two Han characters are as telling as six letters."""
    return len(literal.encode())


def _alternatives(code: Any, value: Any) -> frozenset[str] | None:
    if code is op.SUBPATTERN:
        flags_added, tree = value[1], value[-1]
        return None if flags_added & re.IGNORECASE else _best(tree)
    if code is op.BRANCH:
        branches = [_best(branch) for branch in value[1]]
        if all(branches):
            return frozenset().union(*(branch for branch in branches if branch))
        return None
    if code in {op.MAX_REPEAT, op.MIN_REPEAT} and value[0] > 0:
        return _best(value[2])
    return None
