"""What models and functions say of themselves: authors are told from the code, once."""

from __future__ import annotations

import inspect
import re
from typing import TYPE_CHECKING, Any, get_args

from pydantic import BaseModel

if TYPE_CHECKING:
    from collections.abc import Iterator

_SECTION = re.compile(r"^(?P<name>Attributes|Args|Returns|Raises|Yields|Examples?):$")
_ITEM = re.compile(r"^ {4}(?P<name>\*{0,2}\w+)(?: \([^)]*\))?: (?P<text>.*)$")


def docstring_summary(documented: Any) -> str:
    """Return what a docstring says before its first section, as one line."""
    kept = []
    for line in inspect.cleandoc(documented.__doc__ or "").splitlines():
        if _SECTION.match(line):
            break
        kept.append(line)
    return " ".join(" ".join(kept).split())


def docstring_items(documented: Any, section: str = "Attributes") -> dict[str, str]:
    """Return what a docstring says of each attribute or argument, as one line each.

    Args:
        documented: A class, with what it inherits, or a function.
        section: ``Attributes``, ``Args`` or ``Raises``.
    """
    if not isinstance(documented, type):
        return _items(documented, section)
    found: dict[str, str] = {}
    for base in reversed(documented.__mro__):
        found |= _items(base, section)
    return found


def _items(documented: Any, section: str) -> dict[str, str]:
    found: dict[str, str] = {}
    inside, name = False, ""
    for line in inspect.cleandoc(documented.__doc__ or "").splitlines():
        heading, item = _SECTION.match(line), _ITEM.match(line)
        if heading or (line and not line.startswith(" ")):
            inside, name = bool(heading and heading["name"] == section), ""
        elif inside and item:
            name = item["name"]
            found[name] = item["text"]
        elif name and line.strip():
            found[name] += " " + line.strip()
    return found


def models_in(annotation: Any) -> Iterator[type[BaseModel]]:
    """Yield the models that the type of a field holds, itself or in its arguments."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    for argument in get_args(annotation):
        yield from models_in(argument)
