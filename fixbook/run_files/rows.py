"""Rows of values that a training logs, by the names that the rules know them by."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

MOST_VALUES = 200
_MOST_NAME, _MOST_DIGITS = 80, 40
# How trackers and trainers call one value; "train_loss" is the mean of a whole run, and no row.
_NAMES = {
    "lm_loss": "loss",
    "train/loss": "loss",
    "lr": "learning_rate",
    "train/lr": "learning_rate",
    "train/learning_rate": "learning_rate",
    "train/grad_norm": "grad_norm",
    "gradient_norm": "grad_norm",
    "global_step": "step",
    "train/global_step": "step",
    "current_steps": "step",
    "iteration": "step",
}
_NUMBER = re.compile(
    r"\s*[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?\s*|\s*[-+]?(?:nan|inf(?:inity)?)\s*",
    re.ASCII | re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Row:
    """What one step, or one evaluation, logged.

    Attributes:
        values: Numbers by name: ``loss``, ``grad_norm``, ``learning_rate``, ``eval_loss`` …
        step: The step; None where the row does not say it.
        line: Its line in the file, from 1; None where the file has no lines.
    """

    values: Mapping[str, float] = field(default_factory=dict)
    step: int | None = None
    line: int | None = None


def row_of(named: Iterable[tuple[object, object]], line: int | None = None) -> Row | None:
    """Make a row of what was logged under any names.

    Args:
        named: Names and values; what is no number is left out, a number may be a text.
        line: Where it stands.

    Returns:
        The row; None if no number is in it.
    """
    values: dict[str, float] = {}
    for name, value in named:
        number = number_of(value)
        if number is not None and isinstance(name, str) and len(name) <= _MOST_NAME:
            values.setdefault(name_of(name), number)
        if len(values) >= MOST_VALUES:
            break
    step = values.pop("step", None)
    if not values:
        return None
    return Row(values, int(step) if step is not None and abs(step) < 2**53 else None, line)


def name_of(name: str) -> str:
    """Return the name that rules know a value by."""
    plain = "_".join(name.strip().lower().split())
    plain = f"eval_{plain.removeprefix('eval/')}" if plain.startswith("eval/") else plain
    return _NAMES.get(plain, plain)


def number_of(value: object) -> float | None:
    """Return a number, or a text that is one; None for anything else."""
    if isinstance(value, str) and len(value) <= _MOST_DIGITS and _NUMBER.fullmatch(value):
        return float(value)
    if isinstance(value, int | float) and not isinstance(value, bool):
        try:
            return float(value)
        except OverflowError:
            return None
    return None
