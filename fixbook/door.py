"""A door that brings a name when it is asked for: a page needs few of the modules of a room.

What a door has is listed once, as imports under ``TYPE_CHECKING``: type checkers read that list,
and so does the door.
"""

from __future__ import annotations

import importlib
import re
import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_LINE = re.compile(r"(?m)^    from (?P<module>\S+) import (?:\((?P<many>[^)]*)\)|(?P<one>.*))$")
_NAME = re.compile(r"(\w+)(?: as (\w+))?")


def door(room: str) -> Callable[[str], Any]:
    """Return the ``__getattr__`` of a room's ``__init__``.

    A name that a module of the room has, too, has to be imported there and then: once anything has
    imported that module, Python takes it for the name.

    Args:
        room: Name of the package.
    """
    places: dict[str, tuple[str, str]] = {}

    def bring(name: str) -> Any:
        if not places:
            places.update(_listed(room))
        if name not in places:
            what = f"module {room!r} has no attribute {name!r}"
            raise AttributeError(what)
        module, there = places[name]
        found = getattr(importlib.import_module(module), there)
        setattr(sys.modules[room], name, found)  # nobody has to ask for it again
        return found

    return bring


def _listed(room: str) -> Iterator[tuple[str, tuple[str, str]]]:
    """Yield each name that a door has, and the module and the name it has there."""
    loader: Any = sys.modules[room].__loader__
    for line in _LINE.finditer(loader.get_source(room)):
        for name, other in _NAME.findall(line["many"] or line["one"]):
            yield other or name, (line["module"], name)
