"""A row of values in a line of a log, as trainers print it; for what reads a stream."""

from __future__ import annotations

import re

from fixbook.run_files.rows import Row, name_of, number_of, row_of

_PAIR = re.compile(
    r"(?<![\w/.-])['\"]?((?:lm |train/)?loss|grad(?:ient)?[ _]norm|learning[ _]rate|lr|"
    r"(?:global_)?step|iteration|eval_\w{1,60}|rewards?\w{0,60})['\"]?\s{0,3}[:=]\s{0,3}['\"]?"
    r"([-+]?(?:nan|inf(?:inity)?|\d[\d.]{0,30}(?:e[-+]?\d{1,3})?))\b",
    re.ASCII | re.IGNORECASE,
)
_MOST_LINE = 4096
_OF_A_ROW = {"loss", "grad_norm"}


def row_in(text: str, line: int | None = None) -> Row | None:
    """Return the row of values that a line prints.

    Args:
        text: The line; of one that a progress bar shares, what follows the last return.
        line: Its number.

    Returns:
        The row; None for a line that prints none, such as one of settings.
    """
    pairs = [(found[1], found[2]) for found in _PAIR.finditer(text[-_MOST_LINE:])]
    names = {name_of(name) for name, value in pairs if number_of(value) is not None}
    if not (names & _OF_A_ROW or any(name.startswith("eval_") for name in names)):
        return None
    return row_of(pairs, line)
