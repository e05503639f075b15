r"""How much work a pattern can make of a line that is written against it, told from its text.

A search tries a pattern at every character and, where a repetition may end at several places, at
each of them. What costs more than its length is a repetition that can run over the beginnings of
further tries: of ``\d+ rows`` every digit of a long number is one. Time is not measured.
"""

from __future__ import annotations

import functools
import itertools
import math
from dataclasses import dataclass
from re import _constants as op  # type: ignore[attr-defined]
from re import _parser  # type: ignore[attr-defined]
from typing import TYPE_CHECKING, Any

from fixbook.log.normalise import WINDOW

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

# Steps for each character of a line. A hundred take about 10 ms on a line of 100 kB.
MOST_STEPS = 100
# Alternatives of one pattern that are looked at one by one.
MOST_WAYS = 512
_OTHER = 128  # stands for every character that is not of ASCII
_ALL = frozenset(range(_OTHER + 1))
_DIGITS = frozenset(range(ord("0"), ord("9") + 1))
_BLANKS = frozenset(map(ord, " \t\n\r\f\v"))
_WORD = frozenset(at for at in range(_OTHER) if chr(at).isalnum() or chr(at) == "_")
_CATEGORIES = {
    op.CATEGORY_DIGIT: _DIGITS,
    op.CATEGORY_NOT_DIGIT: _ALL - _DIGITS,
    op.CATEGORY_SPACE: _BLANKS,
    op.CATEGORY_NOT_SPACE: _ALL - _BLANKS,
    op.CATEGORY_WORD: _WORD,
    op.CATEGORY_NOT_WORD: _ALL - _WORD,
}


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of a pattern: characters, and how many of them.

    Attributes:
        signs: The characters that it may take; none for a boundary.
        fewest: How many it takes at least.
        most: How many it takes at most.
        at: The boundary, or None.
    """

    signs: frozenset[int]
    fewest: float = 1
    most: float = 1
    at: Any = None


def steps_of(pattern: str) -> float:
    """Return the steps that a search takes at worst for each character of a long line.

    Args:
        pattern: A regular expression.

    Returns:
        An estimate: infinite where repetitions are nested so that their number doubles with
        every character.
    """
    ways = itertools.islice(_ways(_parser.parse(pattern)), MOST_WAYS)
    return max((_steps(way) for way in ways), default=1)


def _ways(tree: Iterable[Any]) -> Iterator[tuple[Part, ...]]:
    """Yield the sequences of parts that a pattern may be read as, one for each alternative."""
    pieces = [_piece(code, value) for code, value in tree]
    for way in itertools.product(*pieces):
        yield tuple(itertools.chain.from_iterable(way))


def _piece(code: Any, value: Any) -> list[tuple[Part, ...]]:
    if code is op.SUBPATTERN:
        return [*itertools.islice(_ways(value[-1]), MOST_WAYS)]
    if code is op.BRANCH:
        return [*itertools.chain.from_iterable(_ways(branch) for branch in value[1])]
    if code in {op.MAX_REPEAT, op.MIN_REPEAT}:
        return _repeat(*value)
    if code is op.AT:
        return [(Part(frozenset(), 0, 0, value),)]
    return [(Part(_signs(code, value)),)]


def _repeat(fewest: int, most: int, tree: Any) -> list[tuple[Part, ...]]:
    """A repetition as one part; what may be left out is there, or not."""
    limit = WINDOW if most is op.MAXREPEAT else most
    ways = [*itertools.islice(_ways(tree), MOST_WAYS)]
    if limit == 1:
        return [*ways, ()]
    signs = frozenset[int]().union(*(part.signs for way in ways for part in way))
    lengths = [sum(part.most for part in way) for way in ways]
    if any(_doubles(way) for way in ways):
        return [(Part(signs, 0, math.inf),)]
    least = min(sum(part.fewest for part in way) for way in ways)
    return [(Part(signs, fewest * least, min(WINDOW, limit * max(lengths))),)]


def _doubles(way: Sequence[Part]) -> bool:
    """Whether a repetition of this may be cut up in many ways: ``(?:a+)+``."""
    return any(
        part.most > part.fewest and all(not one.fewest or one.signs & part.signs for one in way)
        for part in way
    )


@functools.cache
def _set(items: tuple[Any, ...]) -> frozenset[int]:
    found = frozenset[int]().union(*(_signs(code, value) for code, value in items))
    return _ALL - found if items and items[0][0] is op.NEGATE else found


def _signs(code: Any, value: Any) -> frozenset[int]:
    """The characters that one element of a pattern takes."""
    if code is op.LITERAL:
        return frozenset({min(value, _OTHER)})
    if code is op.NOT_LITERAL:
        return _ALL - {value}
    if code is op.RANGE:
        return frozenset(min(at, _OTHER) for at in range(value[0], min(value[1], _OTHER) + 1))
    if code is op.IN:
        return _set(tuple(value))
    if code is op.CATEGORY:
        return _CATEGORIES[value]
    return _ALL if code is op.ANY else frozenset()


def _steps(way: Sequence[Part]) -> float:
    """The steps of the part that takes most; the last is not tried again, nothing follows it."""
    last = len(way) - 1
    while last >= 0 and way[last].at is None and way[last].most > way[last].fewest:
        last -= 1
    wide = [at for at in range(last + 1) if way[at].most > way[at].fewest]
    return max((_tries(way, at) for at in wide), default=1)


def _tries(way: Sequence[Part], at: int) -> float:
    """How often one part is run over, for each character of a line.

    Everything before it is walked back as long as it may stand inside the part itself: so far the
    beginnings of further tries may lie in what one try has run over already.
    """
    signs, steps, apart, longest = way[at].signs, way[at].most, 0.0, way[at].most
    for part in reversed(way[:at]):
        if part.at in {op.AT_BEGINNING, op.AT_BEGINNING_STRING}:
            return steps / WINDOW
        if part.at is op.AT_BOUNDARY and signs <= _WORD:
            return steps / longest
        if part.at is not None or not (part.fewest or part.signs & signs):
            continue
        if not part.signs & signs:
            return steps / longest
        if part.most > part.fewest:
            signs &= part.signs
            steps *= part.most / max(1.0, apart)
            longest, apart = max(longest, part.most), 0.0
        else:
            apart += part.fewest
    return steps / max(1.0, apart)
