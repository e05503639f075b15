"""What a pattern may cost is told from its text, and the gate says so of the book."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, Any

import pytest

from fixbook.gates.effort import MOST_STEPS, steps_of
from fixbook.log import disguise, errors, prefixes
from tests.gating import found

if TYPE_CHECKING:
    from collections.abc import Callable

    from fixbook.book import Book

    MakeBook = Callable[..., Book]

SLOW = (
    r"\d+ rows are read of",
    r"(?P<row>\d+) steps skipped in a row",
    r"\w*Trainer\w*\.log\(\)",
    r"foo[^\n]*bar",
    r"(?:embed|wte)\.(?:[a-z_]+\.)*weight",
    r"^\[\d+\] +[-+]? *\d+ killed",
    r"a[^\n]{0,300}b[^\n]{0,300}c",
)
QUICK = (
    r"rank \d+ did not receive",
    r"argument .(?P<name>\w+)",
    r"\b\w+ overflowed",
    r"\d{1,9} rows are read of",
    r"^[\w./-]+: not found",
    r"Cannot merge (?P<kind>\w+) layers",
    r"keyword argument '[^']*' of",
)


@pytest.mark.parametrize("pattern", SLOW)
def test_a_line_can_be_made_to_take_long(pattern: str) -> None:
    assert steps_of(pattern) > MOST_STEPS


@pytest.mark.parametrize("pattern", QUICK)
def test_no_line_takes_long(pattern: str) -> None:
    assert steps_of(pattern) <= MOST_STEPS


@pytest.mark.parametrize("pattern", [r"(?:a+)+ overflowed", r"x(?:\s*\w*)*y"])
def test_repetitions_that_double_with_every_character(pattern: str) -> None:
    assert steps_of(pattern) == math.inf


def test_the_gate_names_the_pattern(make_book: MakeBook, entry: dict[str, Any]) -> None:
    entry["signatures"][0]["pattern"] = r"\d+ overflowed"
    text = found(make_book(entry), "effort")
    assert r"'\\d+ overflowed' may take 65,536 steps" in text
    assert "bound the repetitions" in text


@pytest.mark.parametrize(
    "pattern",
    [errors.ERROR, errors.FIRST_ERROR, prefixes.RANK_IN_LINE, disguise.BOLD, disguise.FEEDS],
)
def test_the_engine_keeps_to_it(pattern: re.Pattern[str]) -> None:
    verbose = pattern.flags & re.VERBOSE
    assert steps_of(f"(?x:{pattern.pattern}\n)" if verbose else pattern.pattern) < MOST_STEPS
