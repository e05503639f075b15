"""Conditions of rules. They are data, not code, so that an entry can carry its own.

A condition is one of ``{all: […]}``, ``{any: […]}``, ``{not: …}`` or a test of one key:
``{key: bf16, is: true}``. Its answer is true, false, or None where a value is not known: an
expression, a variable, a default of somebody's script. A rule applies only where it is true.
"""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, Any

from fixbook.config.named_values import is_stray, listed
from fixbook.config.setting import UNKNOWN
from fixbook.versions import is_version, within

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from fixbook.config.setting import Section

_OFF = {"false", "no", "off", "none", "null", ""}


def holds(condition: Mapping[str, Any], sections: Mapping[str, Section]) -> bool | None:
    """Evaluate a condition.

    Args:
        condition: The condition.
        sections: The section by an empty name, and others by the tool they are for; a key is
            looked up in those as ``deepspeed:bf16.enabled``.
    """
    if "all" in condition:
        answers = [holds(part, sections) for part in condition["all"]]
        return False if False in answers else None if None in answers else True
    if "any" in condition:
        answers = [holds(part, sections) for part in condition["any"]]
        return True if True in answers else None if None in answers else False
    if "not" in condition:
        answer = holds(condition["not"], sections)
        return None if answer is None else not answer
    value = lookup(condition["key"], sections)
    operator, wanted = next((name, item) for name, item in condition.items() if name != "key")
    if value is UNKNOWN:
        return None
    if operator == "set":
        return (value is not None) is bool(wanted)
    return _OPERATORS[operator](value, wanted, sections)


def lookup(key: str, sections: Mapping[str, Section]) -> Any:
    """Return the value of a key, or None if it is not set; `UNKNOWN` if that cannot be told.

    ``a*b`` is the product of both.
    """
    if "*" in key:
        return _product([lookup(part, sections) for part in key.split("*")])
    tool, colon, name = key.rpartition(":")
    section = sections.get(tool)
    if section is None or (colon and not tool):
        return None
    found = section.settings.get(name)
    if found is None:
        return None if section.complete else UNKNOWN
    return found.value


def _product(values: list[Any]) -> Any:
    """Multiply; a later one that is not set counts as 1."""
    if UNKNOWN in values:
        return UNKNOWN
    numbers = [_number(1 if value is None else value) for value in values]
    known = [number for number in numbers if number is not None]
    return math.prod(known) if values[0] is not None and len(known) == len(values) else None


def is_on(value: Any) -> bool:
    """Tell whether a switch is on: true, a number, any text but ``false`` and the like."""
    return value.strip().lower() not in _OFF if isinstance(value, str) else bool(value)


def _same(value: Any, wanted: Any) -> bool:
    if isinstance(value, bool) or isinstance(wanted, bool):
        return value is not None and str(value).lower() == str(wanted).lower()
    number, other = _number(value), _number(wanted)
    if number is not None and other is not None:
        return math.isclose(number, other, rel_tol=1e-9)
    return bool(value == wanted)


def _number(value: Any) -> float | None:
    try:
        return None if isinstance(value, bool) or value is None else float(value)
    except (TypeError, ValueError, OverflowError):  # the latter: a number of hundreds of digits
        return None


def _is(value: Any, wanted: Any, _: Mapping[str, Section]) -> bool:
    return _same(value, wanted)


def _in(value: Any, wanted: Any, _: Mapping[str, Section]) -> bool:
    return any(_same(value, item) for item in wanted)


def _active(value: Any, wanted: Any, _: Mapping[str, Section]) -> bool:
    return is_on(value) is wanted


def _matches(value: Any, wanted: Any, _: Mapping[str, Section]) -> bool:
    texts = value if isinstance(value, list) else [] if value is None else [value]
    return any(re.search(wanted, str(text)) for text in texts)


def _over(value: Any, wanted: Any, _: Mapping[str, Section]) -> bool:
    number = _number(value)
    return number is not None and number > wanted


def _under(value: Any, wanted: Any, _: Mapping[str, Section]) -> bool:
    number = _number(value)
    return number is not None and number < wanted


def _holds_key(value: Any, wanted: Any, _: Mapping[str, Section]) -> bool:
    return isinstance(value, dict) and any(re.search(wanted, str(key)) for key in value)


def _differs(value: Any, wanted: Any, sections: Mapping[str, Section]) -> bool | None:
    """Both are set, and not to the same value; ``auto`` agrees with everything."""
    other = lookup(wanted, sections)
    if other is UNKNOWN:
        return None
    if value is None or other is None or "auto" in {str(value), str(other)}:
        return False
    return not _same(value, other)


def _below(value: Any, wanted: Any, sections: Mapping[str, Section]) -> bool | None:
    """Both are numbers, and the value is less than that of the other key."""
    other = lookup(wanted, sections)
    if other is UNKNOWN:
        return None
    number, bound = _number(value), _number(other)
    return number is not None and bound is not None and number < bound


def _indivisible(value: Any, wanted: Any, sections: Mapping[str, Section]) -> bool | None:
    """The value is not a multiple of the product of other keys; one that is not set counts as 1."""
    if value is None:
        return False
    others = [lookup(key, sections) for key in wanted]
    if UNKNOWN in others:
        return None
    numbers = [_number(1 if other is None else other) for other in [value, *others]]
    if any(number is None or number <= 0 or number % 1 for number in numbers):
        return False
    whole = [int(number) for number in numbers if number is not None]
    return whole[0] % math.prod(whole[1:]) != 0


def _outside(value: Any, wanted: Any, _: Mapping[str, Section]) -> bool:
    """The value is text that is in none of the named lists: ``tool/schema/key``, or itself."""
    return isinstance(value, str) and value not in listed(wanted)


def _strays(value: Any, wanted: Any, _: Mapping[str, Section]) -> bool:
    """A key stands below the value that is none of those listed, and no comment either."""
    return isinstance(value, dict) and any(is_stray(str(key), wanted) for key in value)


def _within(value: Any, wanted: Any, _: Mapping[str, Section]) -> bool:
    """The value is a version in a range; what a build adds to it (``+cu130``) does not count."""
    return isinstance(value, str) and is_version(value) and within(value, wanted)


_OPERATORS: dict[str, Callable[[Any, Any, Mapping[str, Section]], bool | None]] = {
    "is": _is,
    "in": _in,
    "active": _active,
    "matches": _matches,
    "over": _over,
    "under": _under,
    "holds_key": _holds_key,
    "differs": _differs,
    "below": _below,
    "indivisible": _indivisible,
    "outside": _outside,
    "strays": _strays,
    "within": _within,
}
