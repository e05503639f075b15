"""Conditions that a measure has to meet, such as ``<= 0.01`` or ``== true``."""

from __future__ import annotations

import json
import operator
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from fixbook.text import _

if TYPE_CHECKING:
    from collections.abc import Callable

_OPERATORS: dict[str, Callable[[Any, Any], bool]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<=": operator.le,
    ">=": operator.ge,
    "<": operator.lt,
    ">": operator.gt,
}
_SHAPE = re.compile(r"\s*(==|!=|<=|>=|<|>)\s*(.+?)\s*", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Expectation:
    """A comparison with a constant.

    Attributes:
        symbol: ``==``, ``!=``, ``<``, ``<=``, ``>`` or ``>=``.
        value: The constant, any JSON value.
    """

    symbol: str
    value: Any

    @classmethod
    def parse(cls, text: str) -> Expectation:
        """Parse ``<operator> <JSON literal>``.

        Raises:
            ValueError: The text has another shape.
        """
        shape = _SHAPE.fullmatch(text)
        if not shape:
            what = _("{text!r} is not a condition; write for example '== true' or '< 0.1'")
            raise ValueError(what.format(text=text))
        try:
            value = json.loads(shape[2])
        except json.JSONDecodeError:
            what = _('{text!r} is not a JSON literal; quote text (== "bf16"), write true or 4')
            raise ValueError(what.format(text=shape[2])) from None
        return cls(shape[1], value)

    def holds(self, seen: Any) -> bool:
        """Tell whether a measure meets the condition; values of another type never do."""
        if isinstance(seen, bool) is not isinstance(self.value, bool):
            return self.symbol == "!="
        try:
            return bool(_OPERATORS[self.symbol](seen, self.value))
        except TypeError:
            return False

    def __str__(self) -> str:
        """Return the condition as it is written in an entry."""
        return f"{self.symbol} {json.dumps(self.value)}"
