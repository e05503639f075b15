"""What stands for the classes and calls of a pickle: names and arguments, nothing that acts."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True, eq=False)
class Named:
    """A class or a function, by its name alone.

    Attributes:
        name: Module and name, such as ``torch.FloatStorage``.
    """

    name: str


@dataclass(slots=True, eq=False)
class Made:
    """What a call would have made.

    Attributes:
        by: What would have been called.
        args: Its arguments.
        state: What would have been set on it.
        items: What would have been put into it.
    """

    by: str
    args: tuple[Any, ...] = ()
    state: Any = None
    items: list[tuple[Any, Any]] = field(default_factory=list)
